import { calls as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { changeEntry } from '../records/describe-edit.ts';
import { addHistory } from '../records/store-history.ts';
import { lockCall, patchCall } from '../records/store.ts';
import { changesOfRules, type RuledField, type RuledPatch } from './rules.ts';
import { countChange, listsSaidIn, rulesOf } from './store.ts';

/**
 * Runs the company's rules on a call: after it ended, and after its words are known. What a person set
 * stays. Each change is in the history with its rule. Running it again changes nothing.
 */
export async function applyOutcomeRules(t: TxCtx, callId: number): Promise<void> {
  const { tx, companyId } = t;
  const rules = await rulesOf(tx, companyId);
  if (rules.length === 0) return;
  const call = await lockCall(tx, companyId, callId);
  if (!call) return;
  const changes = changesOfRules(rules, call, await listsSaidIn(tx, companyId, callId));
  if (changes.length === 0) return;
  const patch: RuledPatch = Object.assign({}, ...changes.map((change) => change.patch));
  await patchCall(tx, companyId, callId, { ...patch, updated_at: t.now });
  let before: RuledPatch = call;
  const entries = changes.flatMap((change) => {
    const rows = (Object.keys(change.patch) as RuledField[]).map((field) =>
      changeEntry(t, field, before[field], change.patch[field], `Rule “${change.rule.name}”`),
    );
    before = { ...before, ...change.patch };
    return rows;
  });
  await addHistory(tx, companyId, callId, entries);
  await countChange(
    tx,
    companyId,
    changes.map(({ rule }) => rule.id),
    t.now,
  );
  await t.publish(
    contract.callUpdated,
    { callId, numberId: call.number_id, changed: Object.keys(patch) },
    { numberId: call.number_id },
  );
}
