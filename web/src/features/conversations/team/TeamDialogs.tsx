import { lazyPart } from '#ui';
import type { Acts } from '../use-acts.ts';
import { closeAsked, useAsked } from './asked.ts';

const PickPerson = lazyPart(async () => (await import('./PickPerson.tsx')).PickPerson);
const SnoozeDialog = lazyPart(async () => (await import('./SnoozeDialog.tsx')).SnoozeDialog);

/** The dialogs of the inbox, one for everybody who asks. */
export function TeamDialogs({ acts }: { acts: Acts }) {
  const { what, list, then } = useAsked();
  const numbers = new Set(list.map((c) => c.number.id));
  const held = new Set(list.map((c) => c.assignee?.id ?? null));
  const done = (work: () => void): void => {
    closeAsked();
    work();
    then();
  };
  return (
    <>
      {what === 'assign' && (
        <PickPerson
          list={list}
          numberId={numbers.size === 1 ? [...numbers][0] : undefined}
          holder={held.size === 1 ? ([...held][0] ?? null) : undefined}
          onClose={closeAsked}
          onPick={(person) => done(() => void acts.assign(list, person))}
        />
      )}
      {what === 'snooze' && (
        <SnoozeDialog
          list={list}
          onClose={closeAsked}
          onPick={(until) => done(() => void acts.snooze(list, until))}
        />
      )}
    </>
  );
}
