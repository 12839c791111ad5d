import { t } from '#ui';
import { pauseText } from './pause-text.ts';
import css from './TransferControls.module.css';
import { transferBlockReason, type TransferChoice } from './transfer-choices.ts';

const statusLabels = {
  active: 'Active',
  away: 'Away',
  on_call: 'On a call',
  offline: 'Offline',
} as const;

/** A destination in the list, with the heading of its group above the first of them. */
export function TransferOption({
  id,
  choice,
  isFirstOfGroup,
  isChosen,
  onChoose,
  onSend,
}: {
  id: string;
  choice: TransferChoice;
  isFirstOfGroup: boolean;
  isChosen: boolean;
  onChoose: () => void;
  onSend: () => void;
}) {
  return (
    <div role="presentation">
      {isFirstOfGroup && (
        <div className={css.group} role="presentation">
          {choice.group}
        </div>
      )}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isChosen}
        aria-disabled={transferBlockReason(choice) !== null}
        className={css.choice}
        onClick={onChoose}
        onDoubleClick={() => {
          onChoose();
          onSend();
        }}
      >
        <choice.icon size={16} stroke={1.75} aria-hidden />
        <span>
          {choice.label}
          {choice.detail && <span className={css.quiet}> {choice.detail}</span>}
        </span>
        {choice.status && (
          <span className={css.status} data-status={choice.status}>
            {choice.pause && choice.status === 'away'
              ? pauseText(choice.pause)
              : t(statusLabels[choice.status])}
          </span>
        )}
      </div>
    </div>
  );
}
