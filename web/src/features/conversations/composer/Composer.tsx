import { useState } from 'react';
import { lazyComponent, t } from '#ui';
import { partyFor } from '../../../shared/hidden-party.ts';
import type { Conversation } from '../cache-updates.ts';
import { PresenceBar } from '../team/PresenceBar.tsx';
import { useOurNumbers } from '../use-our-numbers.ts';
import { ComposerBar } from './ComposerBar.tsx';
import { MediaTray } from './MediaTray.tsx';
import { MessageInput } from './MessageInput.tsx';
import { useComposer, useDroppedFiles, type ComposerState } from './use-composer.ts';
import css from './Composer.module.css';

const LockedComposer = lazyComponent(
  async () => (await import('../../compliance/LockedComposer.tsx')).LockedComposer,
);
const SendFax = lazyComponent(async () => (await import('../fax/SendFax.tsx')).SendFax);
const ScheduleDialog = lazyComponent(
  async () => (await import('../scheduling/ScheduleDialog.tsx')).ScheduleDialog,
);

interface ComposerProps {
  conversation: Conversation;
  /** Files dropped on the thread; `onTaken` runs once they are attached or rejected. */
  dropped: File[];
  onTaken: () => void;
}

/**
 * The field for a message or a note; disabled, with the reason, when the contact can't be texted.
 */
export function Composer({ conversation, dropped, onTaken }: ComposerProps) {
  const composer = useComposer(conversation);
  useDroppedFiles(composer, dropped, onTaken);
  const [schedules, setSchedules] = useState(false);
  const { canSend, canNote, isNote, isLocked, text, files, presence, colleague } = composer;
  if (!canSend && !canNote) return null;
  return (
    <div className={css.place}>
      <PresenceBar
        others={presence.others}
        isWriting={!isNote && text.trim() !== ''}
        answered={colleague.answered}
        onSeen={colleague.seen}
      />
      {isLocked ? (
        <Locked conversation={conversation} composer={composer} />
      ) : (
        <form
          className={css.box}
          data-note={isNote || undefined}
          aria-label={isNote ? t('New note') : t('New message')}
          onSubmit={(e) => {
            e.preventDefault();
            void composer.send();
          }}
        >
          {files.length > 0 && !isNote && (
            <MediaTray
              files={files}
              onRemove={(removed) => composer.setFiles(files.filter((f) => f !== removed))}
            />
          )}
          {composer.suggestions.popup}
          <MessageInput conversation={conversation} composer={composer} />
          <ComposerBar composer={composer} onSendLater={() => setSchedules(true)} />
        </form>
      )}
      {schedules && (
        <ScheduleDialog
          conversation={conversation}
          text={text.trim()}
          files={files}
          onClose={() => setSchedules(false)}
          onDone={() => {
            composer.setText('');
            composer.setFiles([]);
            setSchedules(false);
          }}
        />
      )}
    </div>
  );
}

/** Replaces the field when the contact can't be texted: the reason, and what to do instead. */
function Locked({
  conversation,
  composer,
}: {
  conversation: Conversation;
  composer: ComposerState;
}) {
  const { number, recipient, contact, whyNotText } = conversation;
  const [faxes, setFaxes] = useState(false);
  const numberCanFax = useOurNumbers().some((n) => n.id === number.id && n.canFax);
  const canFax = numberCanFax && composer.canSend && whyNotText === 'no_sms';
  if (whyNotText === null) return null;
  return (
    <>
      <LockedComposer
        reason={whyNotText}
        recipient={recipient}
        party={partyFor(recipient, `conversation:${conversation.id}`)}
        ourNumber={number.number}
        {...(composer.canNote && { onNote: () => composer.write('note') })}
        {...(canFax && { onFax: () => setFaxes(true) })}
      />
      {faxes && (
        <SendFax
          to={{
            number: recipient,
            party: partyFor(recipient, `conversation:${conversation.id}`),
            name: contact?.name || null,
            ours: number.id,
          }}
          onClose={() => setFaxes(false)}
        />
      )}
    </>
  );
}
