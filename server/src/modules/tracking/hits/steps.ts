import type { DropReason, HitStep } from '#contract/tracking/hit-rules';
import { classify } from '../classification/classify.ts';
import { readLanding } from '../classification/read-landing.ts';
import type { KnownSource } from '../classification/types.ts';
import { isDomain } from '../pools/choose-pool.ts';
import { ownSources } from '../sources/classify-visit.ts';
import { isBot } from '../visits/visitors.ts';
import { capturedCookies } from './captured.ts';
import { cutAddress } from './cut-address.ts';
import { itemOfVisit } from '../feed/feed-rows.ts';
import { takeForms } from '../forms/take-forms.ts';
import type { Batch } from './batch.ts';
import type { Hit } from './hit.ts';
import {
  addCookies,
  keepAliveMany,
  storeHits,
  storeSwaps,
  visitsOfHits,
  type HitVisit,
  type StoredHit,
} from './store.ts';

interface Step {
  readonly name: HitStep;
  run(batch: Batch): Promise<void> | void;
}

/** A step that looks at one hit at a time and says why it drops it; null: it doesn't. */
const each =
  (reasonOf: (hit: Hit, visit: HitVisit | undefined) => DropReason | null): Step['run'] =>
  (batch) => {
    for (const hit of batch.hits) {
      const reason = reasonOf(hit, batch.visits.get(hit.visitId));
      if (reason) batch.drop(hit, reason);
    }
  };
const idsOf = ({ hits }: Batch): number[] => [...new Set([...hits].map(({ visitId }) => visitId))];

/** What every hit goes through, in this order. Each step is timed, and what it drops is counted. */
export const steps: readonly Step[] = [
  { name: 'bot', run: each((hit) => (isBot(hit.userAgent) ? 'bot' : null)) },
  { name: 'origin', run: checkOrigin },
  {
    name: 'consent',
    run: each((hit, visit) =>
      visit?.settings?.respectDnt && hit.asksNotToBeTracked ? 'do_not_track' : null,
    ),
  },
  {
    name: 'region',
    // The region was looked up by the proxy; from here on no one has the whole address.
    run: each((hit) => {
      hit.ip = cutAddress(hit.ip);
      return null;
    }),
  },
  { name: 'source', run: findSources },
  { name: 'lease', run: keepLeases },
  { name: 'write', run: write },
];

async function checkOrigin(batch: Batch): Promise<void> {
  const ids = idsOf(batch);
  for (const [id, visit] of await visitsOfHits(batch.tx, batch.companyId, ids))
    batch.visits.set(id, visit);
  await each((hit, visit) => {
    if (!visit) return 'unknown_visit';
    if (!visit.settings) return 'no_pool';
    const { domains } = visit.settings;
    if (hit.site === null || !domains.some((domain) => isDomain(hit.site ?? '', domain)))
      return 'wrong_site';
    // A page that can't be read is for the step `source`.
    const page = hit.url === null ? null : readLanding({ url: hit.url }).page;
    return page && page.address !== hit.site ? 'wrong_site' : null;
  })(batch);
}

/** A page within a visit that carries marks of another source is a touch of its own. */
async function findSources(batch: Batch): Promise<void> {
  let own: readonly KnownSource[] | null = null;
  for (const hit of batch.hits) {
    if (hit.url === null) continue;
    const { page, parameters } = readLanding({ url: hit.url });
    if (!page) {
      batch.drop(hit, 'unreadable_page');
      continue;
    }
    const visit = batch.visits.get(hit.visitId);
    if (hit.kind !== 'pageview' || parameters.size === 0 || !visit?.settings) continue;
    own ??= await ownSources(batch);
    const { source, step } = classify(
      { url: hit.url },
      {
        sources: own,
        domains: visit.settings.domains,
        parameterNames: visit.settings.utmParameterOverride,
      },
    );
    // The last step is for pages that say nothing.
    if (step < 7 && source.id !== visit.sourceId) hit.source = { id: source.id, key: source.key };
  }
}

async function keepLeases(batch: Batch): Promise<void> {
  const kept = await keepAliveMany(batch.tx, batch.companyId, idsOf(batch), batch.now);
  for (const [id, until] of kept) batch.leasedUntil.set(id, until);
  await each((hit) => (kept.has(hit.visitId) ? null : 'visit_over'))(batch);
  for (const { kind, visitId } of batch.hits) {
    const visit = batch.visits.get(visitId);
    if (kind === 'heartbeat' && visit) batch.tell(itemOfVisit('heartbeat', visit.facts, batch.now));
  }
}

async function write(batch: Batch): Promise<void> {
  const stored: StoredHit[] = [];
  const cookies = new Map<number, Record<string, string>>();
  for (const hit of batch.hits) {
    const visit = batch.visits.get(hit.visitId);
    if (hit.kind === 'heartbeat' || !visit?.settings || visit.poolId === null) continue;
    stored.push({ ...hit, kind: hit.kind, poolId: visit.poolId });
    const captured = capturedCookies(hit.cookies, visit.settings);
    if (Object.keys(captured).length > 0)
      cookies.set(visit.id, { ...captured, ...cookies.get(visit.id) });
  }
  if (stored.length === 0) return;
  await noteSwaps(batch);
  if (cookies.size > 0)
    await addCookies(
      batch.tx,
      batch.companyId,
      [...cookies].map(([visitId, values]) => ({ visitId, cookies: values })),
    );
  const storedOf = await storeHits(batch.tx, batch.companyId, stored);
  const left = new Map<string, number>();
  for (const hit of batch.hits) {
    if (hit.kind === 'heartbeat') continue;
    const key = `${hit.visitId} ${hit.kind}`;
    const rest = left.get(key) ?? storedOf(hit.visitId, hit.kind);
    left.set(key, rest - 1);
    if (rest <= 0) batch.drop(hit, 'too_many');
  }
  await takeForms(batch);
}

/** Visits whose pages say for the first time that they show the visitor's number. */
async function noteSwaps(batch: Batch): Promise<void> {
  const first = new Map(
    [...batch.hits].flatMap(({ swapped, visitId }) => {
      const visit = batch.visits.get(visitId);
      return swapped && visit && !visit.facts.swapped_at ? [[visitId, visit]] : [];
    }),
  );
  if (first.size === 0) return;
  await storeSwaps(batch.tx, batch.companyId, [...first.keys()], batch.now);
  for (const { facts } of first.values()) batch.tell(itemOfVisit('swap', facts, batch.now));
}
