//! A row that owns what it says.

use alloc::{borrow::Cow, string::String, vec::Vec};

use serde_json::{Map, Value};

use super::row::{LogRow, LogRowRef, RowNames};

impl LogRowRef<'_> {
    /// The same row, owned. Data that JSON could not hold (only rows that no reader made have such) are left out.
    #[must_use]
    pub fn to_row(&self) -> LogRow {
        let text = |text: &Option<Cow<'_, str>>| text.as_deref().map(String::from);
        let names = |names: &RowNames<'_>| -> Vec<String> {
            names.iter().map(|name| String::from(&**name)).collect()
        };
        let data = self.metadata.and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok());
        LogRow {
            row: self.row,
            object_id: self.object_id.clone().into_owned(),
            sequence: self.sequence,
            from_states: self.from_states.as_ref().map(names),
            to_states: names(&self.to_states),
            transitions: self.transitions.as_ref().map(names),
            exited: self.exited.as_ref().map(names),
            entered: self.entered.as_ref().map(names),
            action: text(&self.action),
            actor_id: text(&self.actor_id),
            actor_type: text(&self.actor_type),
            tenant_id: text(&self.tenant_id),
            world_id: text(&self.world_id),
            reason: text(&self.reason),
            timestamp: self.timestamp,
            request_id: text(&self.request_id),
            definition_version: self.definition_version,
            created_at: self.created_at,
            metadata: match data {
                Some(Value::Object(map)) => map,
                _ => Map::new(),
            },
            object: self.object.and_then(|raw| serde_json::from_str(raw.get()).ok()),
        }
    }
}
