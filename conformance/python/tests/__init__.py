"""Tests of the package `tern`; run them with `python3 -m unittest` one folder up."""
