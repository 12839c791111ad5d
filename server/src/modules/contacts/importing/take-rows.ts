import { entityOf } from '#contract/field-rules';
import { fileSaidOptedOut } from '#contract/importing';
import type { TxCtx } from '../../../platform/context.ts';
import { setManyValues } from '../../fields/index.ts';
import { lookAtRows, namesIn, placesOf, type Plan } from './look-at-rows.ts';
import type { Fate } from './judge.ts';
import type { Done, ReadRow, Values } from './rules.ts';
import { changeContacts, join, makeContacts, makeGroups, makeLabels } from './store-people.ts';

/** What is kept of a row: what became of it, and (b, a, g, l, c) what undo puts back. */
export interface Kept extends Done {
  b?: Values;
  a?: Values;
  g?: readonly number[];
  l?: readonly number[];
  c?: readonly { key: string; before: string | null; after: string }[];
}
/** Numbers in one saying; listeners take them in one statement. */
const SAID_AT_ONCE = 1000;

/** Write some rows into the book: one transaction, a handful of statements, whatever the rows hold. */
export async function takeRows(
  t: TxCtx,
  plan: Plan,
  importId: number,
  rows: readonly ReadRow[],
  seen: Map<string, number>,
  by: number | null,
): Promise<Kept[]> {
  await makeGroups(
    t.tx,
    t.companyId,
    missingNames(rows, 'groups', (await placesOf(t, rows)).groups),
    by,
    t.now,
  );
  await makeLabels(
    t.tx,
    t.companyId,
    missingNames(rows, 'labels', (await placesOf(t, rows)).labels),
    by,
    t.now,
  );
  const places = await placesOf(t, rows);
  const kept = new Map<number, Kept>();
  let waiting = rows;
  // Somebody may make a contact of a number between the look and the writing: those rows are looked at again.
  for (let turn = 0; waiting.length && turn < 5; turn++) {
    const fates = await lookAtRows(t, plan, waiting, seen, { places, hold: true });
    const late = await write(t, plan, importId, fates);
    for (const fate of fates) if (!late.has(fate.r)) kept.set(fate.r, keptOf(fate));
    waiting = waiting.filter((row) => late.has(row.row));
    for (const row of waiting) if (row.number) seen.delete(row.number);
  }
  if (waiting.length)
    throw new Error('contacts were made and removed faster than they could be read');
  return rows.map((row) => kept.get(row.row)!);
}
const missingNames = (
  rows: readonly ReadRow[],
  of: 'groups' | 'labels',
  there: ReadonlyMap<string, unknown>,
): string[] => [...namesIn(rows, of)].filter(([key]) => !there.has(key)).map(([, name]) => name);

/** Answers the rows whose number was taken meanwhile. */
async function write(
  t: TxCtx,
  plan: Plan,
  importId: number,
  fates: readonly Fate[],
): Promise<Set<number>> {
  const created = fates.filter((f) => f.o === 'created');
  const unsubscribed = (f: Fate) => (f.optsOut ? t.now : (f.facts?.optedOutAt ?? null));
  const made = await makeContacts(
    t.tx,
    t.companyId,
    created.map((f) => ({ ...f.after, number: f.row.number!, unsubscribed_at: unsubscribed(f) })),
    t.now,
  );
  const late = new Set<number>();
  for (const fate of created) {
    const id = made.get(fate.row.number!);
    if (id) fate.id = id;
    else late.add(fate.r);
  }

  const updated = new Map(
    fates.flatMap((f) =>
      f.o === 'updated' && f.contact && (Object.keys(f.after).length || f.optsOut)
        ? [[f.contact.id, f] as const]
        : [],
    ),
  );
  const optedOutNow = new Set(
    fates.filter((f) => f.optsOut && f.contact).map((f) => f.contact!.id),
  );
  await changeContacts(
    t.tx,
    t.companyId,
    [...updated.values()].map((f) => ({
      ...f.contact!.values,
      id: f.contact!.id,
      unsubscribed_at: optedOutNow.has(f.contact!.id) ? t.now : null,
    })),
    t.now,
  );

  const there = fates.filter((f) => f.id !== undefined && f.o !== 'skipped');
  await join(
    t.tx,
    t.companyId,
    there.flatMap((f) => f.joins.map((g) => [g, f.id!] as const)),
    there.flatMap((f) => f.labels.map((l) => [l, f.id!] as const)),
    t.now,
  );
  const withCustom = there.filter((f) => f.custom.length);
  if (withCustom.length) {
    const wrong = await setManyValues(
      t,
      entityOf.contact,
      withCustom.map((f) => ({
        entityId: f.id!,
        values: f.custom.map(({ key, value }) => ({ key, value })),
      })),
      { source: 'import' },
    );
    for (const fate of withCustom) {
      const errors = wrong.get(fate.id!);
      if (errors) {
        fate.n = [
          ...(fate.n ?? []),
          ...Object.entries(errors).map(
            ([key, why]) =>
              `${plan.fields.find((f) => f.key === key)?.name ?? key} was left out: ${why}`,
          ),
        ];
        fate.custom = [];
      }
    }
  }
  const optedOut = fates.flatMap((f) => (f.optsOut && !late.has(f.r) ? [f.row.number!] : []));
  for (let at = 0; at < optedOut.length; at += SAID_AT_ONCE)
    await t.say(fileSaidOptedOut, { importId, numbers: optedOut.slice(at, at + SAID_AT_ONCE) });
  return late;
}

const keptOf = (f: Fate): Kept => ({
  r: f.r,
  o: f.o,
  ...(f.w ? { w: f.w } : {}),
  ...(f.id !== undefined ? { id: f.id } : {}),
  ...(f.n?.length ? { n: f.n } : {}),
  ...(f.first ? { first: f.first } : {}),
  ...(f.o === 'updated' && Object.keys(f.after).length ? { b: f.before, a: f.after } : {}),
  ...(f.joins.length ? { g: f.joins } : {}),
  ...(f.labels.length ? { l: f.labels } : {}),
  ...(f.custom.length
    ? { c: f.custom.map(({ key, before, words }) => ({ key, before, after: words })) }
    : {}),
});
