import { useRef, useState } from 'react';
import { IconPaperclip } from '@tabler/icons-react';
import { lazyComponent, t } from '#ui';
import { Composer } from '../composer/Composer.tsx';
import type { Conversation } from '../cache-updates.ts';
import { Thread } from './Thread.tsx';
import { ThreadHeader } from './ThreadHeader.tsx';
import type { ConversationActions } from '../use-conversation-actions.ts';
import css from './ThreadPane.module.css';

const OptOutNotice = lazyComponent(async () => (await import('./OptOutNotice.tsx')).OptOutNotice);

interface PaneProps {
  conversation: Conversation;
  acts: ConversationActions;
  narrow: boolean;
  sideOpen: boolean;
  onSide: () => void;
  target: number | null;
}

/** The middle pane. Files can be dropped anywhere on it. */
export function ThreadPane({
  conversation,
  acts: actions,
  narrow,
  sideOpen,
  onSide,
  target,
}: PaneProps) {
  const [dropped, setDropped] = useState<File[]>([]);
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const withFiles = (e: React.DragEvent): boolean => e.dataTransfer.types.includes('Files');
  return (
    <div
      className={css.pane}
      onDragEnter={(e) => {
        if (withFiles(e)) {
          depth.current += 1;
          setOver(true);
        }
      }}
      onDragOver={(e) => {
        if (withFiles(e)) e.preventDefault();
      }}
      onDragLeave={(e) => {
        if (withFiles(e) && --depth.current <= 0) setOver(false);
      }}
      onDrop={(e) => {
        e.preventDefault();
        depth.current = 0;
        setOver(false);
        setDropped([...e.dataTransfer.files]);
      }}
    >
      <ThreadHeader
        conversation={conversation}
        acts={actions}
        narrow={narrow}
        onSide={onSide}
        sideOpen={sideOpen}
      />
      <Thread conversation={conversation} acts={actions} target={target} />
      {conversation.possibleOptOut && <OptOutNotice conversation={conversation} />}
      <Composer conversation={conversation} dropped={dropped} onTaken={() => setDropped([])} />
      {over && (
        <div className={css.drop} aria-hidden>
          <span>
            <IconPaperclip size={20} /> {t('Drop to attach')}
          </span>
        </div>
      )}
    </div>
  );
}
