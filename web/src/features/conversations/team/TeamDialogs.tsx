import { lazyComponent } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import type { ConversationActions } from '../use-conversation-actions.ts';
import { closeTeamDialog, useTeamDialog } from './team-dialog.ts';

const AssigneePicker = lazyComponent(
  async () => (await import('./AssigneePicker.tsx')).AssigneePicker,
);
const SnoozeDialog = lazyComponent(async () => (await import('./SnoozeDialog.tsx')).SnoozeDialog);

/** Whose a conversation is, as the picker tells assignees apart. */
const holderOf = ({ assignee, team }: Conversation): string =>
  assignee ? `user-${assignee.id}` : team ? `team-${team.id}` : 'nobody';

/** The assign and snooze dialogs, opened with `openTeamDialog`. */
export function TeamDialogs({ acts: actions }: { acts: ConversationActions }) {
  const { kind: what, conversations: list, onDone: then } = useTeamDialog();
  const numbers = new Set(list.map((c) => c.number.id));
  const held = new Set(list.map(holderOf));
  const done = (work: () => void): void => {
    closeTeamDialog();
    work();
    then();
  };
  return (
    <>
      {what === 'assign' && (
        <AssigneePicker
          list={list}
          numberId={numbers.size === 1 ? [...numbers][0] : undefined}
          holder={held.size === 1 ? [...held][0] : undefined}
          onClose={closeTeamDialog}
          onPick={(person) => done(() => void actions.assign(list, person))}
        />
      )}
      {what === 'snooze' && (
        <SnoozeDialog
          list={list}
          onClose={closeTeamDialog}
          onPick={(until) => done(() => void actions.snooze(list, until))}
        />
      )}
    </>
  );
}
