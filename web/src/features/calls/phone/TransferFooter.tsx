import { Button } from '@mantine/core';
import { t } from '#ui';
import css from './TransferControls.module.css';
import { canAskFirst, transferBlockReason, type TransferChoice } from './transfer-choices.ts';

export type TransferMode = 'transfer' | 'add';

/** The buttons below the list, and why the chosen destination can't be called. */
export function TransferFooter({
  mode,
  chosen,
  hasChoices,
  isPending,
  reasonId,
  onSend,
}: {
  mode: TransferMode;
  chosen: TransferChoice | undefined;
  hasChoices: boolean;
  isPending: boolean;
  reasonId: string;
  onSend: (askFirst: boolean) => void;
}) {
  const noOne = hasChoices
    ? t('No teammate can take a call right now. Choose another destination.')
    : null;
  const reason = chosen ? transferBlockReason(chosen) : noOne;
  const isReady = chosen !== undefined && reason === null;
  const described: { 'aria-describedby'?: string } =
    reason === null ? {} : { 'aria-describedby': reasonId };
  return (
    <>
      {reason && (
        <p className={css.reason} role="status" id={reasonId}>
          {reason}
        </p>
      )}
      <div className={css.foot}>
        {mode === 'add' ? (
          <Button
            disabled={!isReady}
            {...described}
            loading={isPending}
            onClick={() => onSend(false)}
          >
            {t('Call and add')}
          </Button>
        ) : (
          <TransferButtons
            chosen={chosen}
            isReady={isReady}
            isPending={isPending}
            described={described}
            onSend={onSend}
          />
        )}
      </div>
    </>
  );
}

function TransferButtons({
  chosen,
  isReady,
  isPending,
  described,
  onSend,
}: {
  chosen: TransferChoice | undefined;
  isReady: boolean;
  isPending: boolean;
  described: { 'aria-describedby'?: string };
  onSend: (askFirst: boolean) => void;
}) {
  const canAsk = isReady && chosen !== undefined && canAskFirst(chosen);
  return (
    <>
      <Button
        variant="default"
        disabled={!isReady}
        {...described}
        loading={isPending}
        onClick={() => onSend(false)}
      >
        {t('Transfer now')}
      </Button>
      <Button disabled={!canAsk} {...described} loading={isPending} onClick={() => onSend(true)}>
        {t('Ask first')}
      </Button>
    </>
  );
}
