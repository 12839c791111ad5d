/** Commands for carriers, stored with the step that made them and performed after commit. */
import { sql } from 'kysely';
import type { VoiceCommand } from '../../../gateways/voice.ts';
import type { Tx } from '../../../platform/db.ts';
import type { CallRef } from './call-ref.ts';

/** A command for a carrier; null = the call's own carrier. */
export const commandFor = (carrier: string | null, command: VoiceCommand) => ({ carrier, command });
/** A command still pending after this long has lost its process. */
const OVERDUE_MS = 2000;

/** Queues commands; one with a known id is ignored. */
export async function addCommands(
  tx: Tx,
  companyId: number,
  callId: number,
  commands: readonly { carrier: string | null; command: VoiceCommand }[],
  now: Date,
): Promise<void> {
  if (!commands.length) return;
  await tx
    .insertInto('call_command')
    .values(
      commands.map(({ carrier, command: c }) => ({
        company_id: companyId,
        call_id: callId,
        command_id: c.id,
        command: JSON.stringify(c),
        carrier,
        created_at: now,
        retry_at: new Date(now.getTime() + OVERDUE_MS),
      })),
    )
    .onConflict((o) => o.columns(['company_id', 'command_id']).doNothing())
    .execute();
}
/** A command not performed yet. `n`: its order within the call. */
export interface PendingCommand {
  n: number;
  tries: number;
  created_at: Date;
  command: VoiceCommand;
  carrier: string | null;
  /** Which of our exchanges has the call; null: none yet. */
  exchange: string | null;
}
/** The call's pending commands, in order. `carrier`: the command's own, else the call's. */
export async function pendingCommands(tx: Tx, callRef: CallRef): Promise<PendingCommand[]> {
  return (await tx
    .selectFrom('call_command as c')
    .leftJoin('live_call as l', (j) =>
      j.onRef('l.company_id', '=', 'c.company_id').onRef('l.call_id', '=', 'c.call_id'),
    )
    .select(['c.n', 'c.tries', 'c.created_at', 'c.command', 'l.exchange'])
    .select(sql<string | null>`coalesce(c.carrier, l.carrier)`.as('carrier'))
    .where('c.company_id', '=', callRef.companyId)
    .where('c.call_id', '=', callRef.callId)
    .where('c.done_at', 'is', null)
    .orderBy('c.n')
    .execute()) as PendingCommand[];
}
/** `failure`: why the commands were given up; null = performed. */
export const markCommandsDone = (
  tx: Tx,
  callRef: CallRef,
  ns: readonly number[],
  now: Date,
  failure: string | null = null,
) =>
  tx
    .updateTable('call_command')
    .set({ done_at: now, failure })
    .where('company_id', '=', callRef.companyId)
    .where('call_id', '=', callRef.callId)
    .where('n', 'in', [...ns])
    .execute();
/**
 * Counts one more failed attempt. The call clock tries again after 2, 4, 8, … seconds, at most 30:
 * a carrier that is away is not asked every second about every call, and a hangup reaches it soon
 * after it is back.
 */
export const markCommandsFailed = (
  tx: Tx,
  callRef: CallRef,
  ns: readonly number[],
  failure: string,
  now: Date,
) =>
  tx
    .updateTable('call_command')
    .set({
      tries: sql`tries + 1`,
      failure: failure.slice(0, 500),
      retry_at: sql`${now}::timestamptz + least(30, power(2, least(tries + 1, 10))) * interval '1 second'`,
    })
    .where('company_id', '=', callRef.companyId)
    .where('call_id', '=', callRef.callId)
    .where('n', 'in', [...ns])
    .execute();
