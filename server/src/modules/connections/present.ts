import type { ConnectionStatus } from './rules.ts';
import type { ConnectionRow } from './store.ts';

/** A link as others see it: never with its tokens. */
export interface Connection {
  id: number;
  provider: string;
  account: { external_id: string; name: string; email: string | null };
  scopes: string[];
  status: ConnectionStatus;
  /** Null: it was not used yet. */
  last_worked_at: Date | null;
  last_error: { at: Date; text: string } | null;
  created_by: number | null;
  created_at: Date;
}

/**
 * A connection as the API returns it, never with its tokens. `last_error` is null when there was
 * none.
 */
export const presentConnection = (row: ConnectionRow): Connection => ({
  id: row.id,
  provider: row.provider,
  account: { external_id: row.external_id, name: row.account_name, email: row.account_email },
  scopes: row.scopes,
  status: row.status as ConnectionStatus, // a check constraint of the column
  last_worked_at: row.last_worked_at,
  last_error:
    row.last_error && row.last_error_at ? { at: row.last_error_at, text: row.last_error } : null,
  created_by: row.created_by,
  created_at: row.created_at,
});
