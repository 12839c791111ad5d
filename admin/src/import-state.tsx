import { useEffect } from 'react';
import type { companyImports as contract, Answer } from '#contract';
import { StatusBadge, t, type Tone } from '#ui';

export type CompanyImport = Answer<typeof contract.getCompanyImport>['data'];

const stateLooks: Record<CompanyImport['state'], [label: () => string, tone: Tone]> = {
  uploading: [() => t('Uploading'), 'info'],
  queued: [() => t('Waiting'), 'info'],
  checking: [() => t('Checking'), 'info'],
  ready: [() => t('Ready'), 'success'],
  refused: [() => t('Refused'), 'danger'],
  importing: [() => t('Importing'), 'info'],
  done: [() => t('Imported'), 'success'],
  failed: [() => t('Failed'), 'danger'],
};

/** Where an import stands. */
export function ImportState({ state }: { state: CompanyImport['state'] }) {
  const [label, tone] = stateLooks[state];
  return <StatusBadge tone={tone}>{label()}</StatusBadge>;
}

/** Asks again while something goes on; this app has no live updates of it. */
export function usePolling(isGoing: boolean, refetch: () => void, ms: number): void {
  useEffect(() => {
    if (!isGoing) return;
    const timer = setInterval(refetch, ms);
    return () => clearInterval(timer);
  }, [isGoing, refetch, ms]);
}
