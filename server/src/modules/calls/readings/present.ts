import type { CallReadingShown } from '#contract/calls/readings/schemas';
import type { ReadingRow } from './store.ts';

/** A reading as the call shows it. */
export const presentReading = (row: ReadingRow): CallReadingShown => ({
  id: row.id,
  state: row.state,
  dry_run: row.is_dry_run,
  engine: row.engine,
  model: row.model,
  is_simulated: row.is_simulated,
  summary: row.found?.summary ?? null,
  sentiment: row.found?.sentiment ?? null,
  outcome: row.found?.outcome ?? null,
  fields: row.found?.fields ?? [],
  dropped: row.found?.dropped ?? [],
  input_tokens: row.input_tokens,
  output_tokens: row.output_tokens,
  cost_micros: row.cost_micros,
  error: row.error,
  created_at: row.created_at.toISOString(),
});
