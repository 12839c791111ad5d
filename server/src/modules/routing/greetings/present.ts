import { formatPhone, type greetings as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import type { GreetingRow, GreetingUse } from './store.ts';

/**
 * A greeting as the API returns it. `usedBy`: in how many places it plays; its file's link is
 * signed.
 */
export const presentGreeting = (ctx: Ctx, row: GreetingRow, usedBy: number): contract.Greeting => ({
  id: row.id,
  name: row.name,
  type: row.type as contract.Greeting['type'],
  content: row.content,
  voice: row.voice,
  language: row.language,
  file_url: ctx.files.signUrl(ctx.companyId, row.file_id, ctx.now),
  duration_ms: row.duration_ms,
  source: row.source as contract.Greeting['source'],
  is_default: row.is_default,
  used_by_count: usedBy,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** A place where a greeting plays, as the API returns it. */
export const presentUse = (use: GreetingUse): contract.GreetingDetail['used_by'][number] => ({
  kind: use.kind,
  id: use.id,
  number_id: use.number_id,
  label: `${formatPhone(use.number)} ${use.label}`.trim(),
  as: use.as_what,
});

/** A greeting with all places where it plays. */
export const presentDetail = (
  ctx: Ctx,
  row: GreetingRow,
  uses: readonly GreetingUse[],
): contract.GreetingDetail => ({
  ...presentGreeting(ctx, row, uses.length),
  used_by: uses.map(presentUse),
});
