//! The JSON Schemas of the specification.

use serde_json::Value;

use crate::root;

/// The schema of that name, compiled, with the others to refer to.
///
/// # Panics
/// Where a schema cannot be read, or is none.
#[must_use]
#[allow(clippy::expect_used, reason = "for tests alone")]
pub fn validator(name: &str) -> jsonschema::Validator {
    let schema = schema(name);
    jsonschema::meta::validate(&schema).expect("a schema is one by its own schema");
    let mut registry = jsonschema::Registry::new();
    for other in [
        "message",
        "log-document",
        "view",
        "outcome",
        "protocol",
        "report",
        "vectors",
    ] {
        let uri = format!("json-schema:///{other}.schema.json");
        registry = registry
            .add(uri, self::schema(other))
            .expect("a schema has a name");
    }
    let registry = registry.prepare().expect("the schemas are schemas");
    jsonschema::options()
        .with_registry(&registry)
        .with_base_uri(format!("json-schema:///{name}.schema.json"))
        .should_validate_formats(true)
        .build(&schema)
        .expect("the schemas refer to each other")
}

/// The text of a schema.
///
/// # Panics
/// Where it cannot be read.
#[must_use]
#[allow(clippy::expect_used, reason = "for tests alone")]
pub fn schema(name: &str) -> Value {
    let path = root()
        .join("spec/schemas")
        .join(format!("{name}.schema.json"));
    let text = std::fs::read(path).expect("the schema is there");
    serde_json::from_slice(&text).expect("the schema is JSON")
}
