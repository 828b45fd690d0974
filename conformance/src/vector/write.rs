//! Vectors as text: always the same, and a line for each thing that a person compares.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::{Expect, File, Orders, Vector};

impl File {
    /// The text of the file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{{\n  \"title\": {},\n  \"vectors\": [", json(&self.title));
        for (index, vector) in self.vectors.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(text, "{comma}\n    {{\n{}\n    }}", vector.fields());
        }
        text.push_str("\n  ]\n}\n");
        text
    }
}

impl Vector {
    fn fields(&self) -> String {
        let mut fields = vec![
            format!("      \"id\": {}", json(&self.id)),
            format!("      \"hash\": {}", json(&self.hash)),
            format!("      \"title\": {}", json(&self.title)),
            format!("      \"level\": {}", self.level),
            list("      ", "checks", &self.checks),
            list("      ", "log", &self.log),
        ];
        if self.open_end {
            fields.push("      \"open_end\": true".to_owned());
        }
        if self.orders == Orders::All {
            fields.push("      \"orders\": \"all\"".to_owned());
        }
        let expect = match &self.expect {
            Expect::Refused(refused) => {
                format!("      \"expect\": {{\"refused\": {}}}", refused.refused)
            }
            Expect::Read(read) => {
                let mut inner = vec![list("        ", "outcomes", &read.outcomes)];
                if !read.view.is_empty() {
                    let places = read
                        .view
                        .iter()
                        .map(|(at, is)| format!("          {}: {}", json(at), json(is)))
                        .collect::<Vec<_>>();
                    inner.push(format!(
                        "        \"view\": {{\n{}\n        }}",
                        places.join(",\n")
                    ));
                }
                if !read.absent.is_empty() {
                    inner.push(list("        ", "absent", &read.absent));
                }
                inner.push(format!("        \"digest\": {}", json(&read.digest)));
                format!("      \"expect\": {{\n{}\n      }}", inner.join(",\n"))
            }
        };
        fields.push(expect);
        fields.join(",\n")
    }
}

/// A list with an item a line.
fn list<T: Serialize>(indent: &str, name: &str, items: &[T]) -> String {
    if items.is_empty() {
        return format!("{indent}\"{name}\": []");
    }
    let lines: Vec<String> = items
        .iter()
        .map(|item| format!("{indent}  {}", json(item)))
        .collect();
    format!("{indent}\"{name}\": [\n{}\n{indent}]", lines.join(",\n"))
}

/// A value on one line, with a space after each colon and comma.
fn json(item: &impl Serialize) -> String {
    let value = serde_json::to_value(item).unwrap_or(Value::Null);
    spaced(&value)
}

fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(spaced).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), spaced(value)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        other => other.to_string(),
    }
}
