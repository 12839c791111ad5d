import { calls as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { changeEntry } from '../records/describe-edit.ts';
import { addHistory } from '../records/store-history.ts';
import { lockCall, patchCall, visibleCall } from '../records/store.ts';
import { isQualifiedBySetting } from './qualified-by-setting.ts';
import { changesOfRules, type RuledField, type RuledPatch } from './rules.ts';
import { countChange, listsSaidIn, rulesOf } from './store.ts';

/**
 * Runs the company's rules on a call, then its setting `qualified_rule`: after it ended, after its words
 * are known, and after a person tagged it or set its outcome. What a person set
 * stays. Each change is in the history with its rule. Running it again changes nothing.
 */
export async function applyOutcomeRules(t: TxCtx, callId: number): Promise<void> {
  const { tx, companyId } = t;
  const rules = await rulesOf(tx, companyId);
  if (rules.length === 0) {
    // Most calls change nothing: others who write to the call at its end don't wait for this.
    const seen = await visibleCall(tx, companyId, callId, null);
    if (!seen || !(await isQualifiedBySetting(t, seen))) return;
  }
  const call = await lockCall(tx, companyId, callId);
  if (!call) return;
  const changes = changesOfRules(rules, call, await listsSaidIn(tx, companyId, callId));
  const isDecided = changes.some(({ patch }) => patch.qualified !== undefined);
  if (!isDecided && !rules.some((rule) => rule.is_on && rule.qualified === false))
    if (await isQualifiedBySetting(t, call))
      changes.push({ rule: { id: null, name: 'Qualified calls' }, patch: { qualified: true } });
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
    changes.flatMap(({ rule }) => rule.id ?? []),
    t.now,
  );
  await t.publish(
    contract.callUpdated,
    { callId, numberId: call.number_id, changed: Object.keys(patch) },
    { numberId: call.number_id },
  );
}
