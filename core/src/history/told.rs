//! A row of a history that was written by this crate.

use crate::{reading::LogRow, step::HistoryRecord};

impl LogRow {
    /// The record as the row of that number, from 1.
    #[must_use]
    pub fn of_record(record: &HistoryRecord, row: u64) -> Self {
        Self {
            row,
            object_id: record.object_id.clone(),
            sequence: Some(record.sequence),
            from_states: Some(record.from_states.clone()),
            to_states: record.to_states.clone(),
            transitions: Some(record.transitions.clone()),
            exited: Some(record.exited.clone()),
            entered: Some(record.entered.clone()),
            action: record.action.clone(),
            actor_id: record.actor_id.clone(),
            actor_type: record.actor_type.clone(),
            tenant_id: record.tenant_id.clone(),
            world_id: record.world_id.clone(),
            reason: record.reason.clone(),
            timestamp: record.timestamp,
            request_id: record.request_id.clone(),
            definition_version: Some(record.definition_version),
            created_at: None,
            metadata: record.metadata.clone(),
            object: record.object.clone(),
        }
    }
}
