import { useState } from 'react';
import { Button } from '@mantine/core';
import { t } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { FoundCalls, type Found } from './FoundCalls.tsx';

/** The end of a dialog: a dry run of what it says, its result, and Save. */
export function DryRunFooter({
  tryIt,
  isSaving,
  onCancel,
}: {
  /** Null: it failed, and the error was shown. */
  tryIt: () => Promise<{ data: Found } | null>;
  isSaving: boolean;
  onCancel: () => void;
}) {
  const [found, setFound] = useState<Found | null>(null);
  const [isTrying, setTrying] = useState(false);
  const run = async (): Promise<void> => {
    setTrying(true);
    const answer = await tryIt();
    setTrying(false);
    setFound(answer?.data ?? null);
  };
  return (
    <>
      {found && <FoundCalls found={found} />}
      <DialogFooter onCancel={onCancel}>
        <Button variant="default" loading={isTrying} onClick={() => void run()}>
          {t('Check the last 30 days')}
        </Button>
        <Button type="submit" loading={isSaving}>
          {t('Save')}
        </Button>
      </DialogFooter>
    </>
  );
}
