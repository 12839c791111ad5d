/** A visit as the models look at it. */
export interface ModelVisit {
  id: number;
  at: Date;
  /** Visits of one source soon after each other are one touch. */
  source: string;
  isDirect: boolean;
}
/** One or more visits that count once; credit goes to the first. */
export interface ModelTouch {
  id: number;
  at: Date;
  source: string;
  visitIds: number[];
}
/** Visits of a source that follow each other within this time are one touch. */
const MERGE_MS = 30 * 60_000;

const inOrder = (visits: readonly ModelVisit[]) =>
  visits.toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.id - b.id);

/**
 * The touches of visits in their order (A8.6). Direct visits count only where there is nothing else,
 * unless `countsDirect`.
 */
export function touchesOf(
  visits: readonly ModelVisit[],
  { countsDirect }: { countsDirect: boolean },
): ModelTouch[] {
  const known = visits.filter(({ isDirect }) => !isDirect);
  const touches: ModelTouch[] = [];
  let lastAt = 0;
  for (const visit of inOrder(countsDirect || known.length === 0 ? visits : known)) {
    const last = touches.at(-1);
    if (last?.source === visit.source && visit.at.getTime() - lastAt <= MERGE_MS)
      last.visitIds.push(visit.id);
    else touches.push({ id: visit.id, at: visit.at, source: visit.source, visitIds: [visit.id] });
    lastAt = visit.at.getTime();
  }
  return touches;
}
