//! Values of the format.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Int(i32),
    Bool(bool),
    Text(String),
    /// An array or a channel.
    List(Vec<Value>),
    Tuple(Vec<Value>),
    Record(Vec<(String, Value)>),
    Map(Vec<(Value, Value)>),
}

impl Value {
    /// Puts a value where a name such as `a[2].f` says. Elements come in order.
    pub(super) fn insert(fields: &mut Vec<(String, Value)>, name: &str, value: Value) {
        let end = name.find(['[', '.']).unwrap_or(name.len());
        let (own, rest) = name.split_at(end);
        let at = fields.iter().position(|(known, _)| known == own).unwrap_or_else(|| {
            fields.push((own.to_owned(), Value::Record(Vec::new())));
            fields.len() - 1
        });
        fields[at].1.put(rest, value);
    }

    /// Puts a value where `rest` leads from here: ``, `[2].f`, `.f`.
    fn put(&mut self, rest: &str, value: Value) {
        if let Some(field) = rest.strip_prefix('.') {
            if !matches!(self, Value::Record(_)) {
                *self = Value::Record(Vec::new());
            }
            if let Value::Record(fields) = self {
                Self::insert(fields, field, value);
            }
        } else if let Some((index, rest)) =
            rest.strip_prefix('[').and_then(|inside| inside.split_once(']'))
        {
            if !matches!(self, Value::List(_)) {
                *self = Value::List(Vec::new());
            }
            let index: usize = index.parse().unwrap_or(0);
            if let Value::List(items) = self {
                if items.len() <= index {
                    items.resize(index + 1, Value::Int(0));
                }
                items[index].put(rest, value);
            }
        } else {
            *self = value;
        }
    }
}

/// `{"#tup": …}`
fn tagged<S: Serializer>(
    serializer: S,
    tag: &str,
    value: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(tag, value)?;
    map.end()
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Int(number) => tagged(serializer, "#bigint", &number.to_string()),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(items) => items.serialize(serializer),
            Value::Tuple(items) => tagged(serializer, "#tup", items),
            Value::Map(pairs) => tagged(serializer, "#map", pairs),
            Value::Record(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn names_become_structure() {
        let mut fields = Vec::new();
        for (name, value) in [("x", 1), ("a[0].f", 2), ("a[0].g[1]", 3), ("a[1].f", 4)] {
            Value::insert(&mut fields, name, Value::Int(value));
        }
        let record = |fields: &[(&str, Value)]| {
            Value::Record(fields.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect())
        };
        let g = Value::List(vec![Value::Int(0), Value::Int(3)]);
        let first = record(&[("f", Value::Int(2)), ("g", g)]);
        let second = record(&[("f", Value::Int(4))]);
        let expected = record(&[("x", Value::Int(1)), ("a", Value::List(vec![first, second]))]);
        assert_eq!(Value::Record(fields), expected);
    }
}
