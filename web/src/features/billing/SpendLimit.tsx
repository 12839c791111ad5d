import { useState } from 'react';
import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { settings, subscription as contract, type Answer } from '#contract';
import { formatMoney, Modal, t, useApiMutation, useCompanyId, usePermission } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

type Spend = Answer<typeof contract.usageSimple>['data']['spend'];

/** What may be spent beyond the plan, how much of it is, and the way to change it. */
export function SpendLimit({ spend }: { spend: Spend }) {
  const [isOpen, setOpen] = useState(false);
  const mayEdit = usePermission('settings.edit');
  const close = (): void => setOpen(false);
  return (
    <Group justify="space-between" mt="md" gap="sm">
      <Text size="sm">
        {spend.limit_cents === null
          ? t('No spending limit. What you use beyond your plan is charged.')
          : t('{used} of the spending limit of {limit} used beyond your plan', {
              used: formatMoney(spend.cents),
              limit: formatMoney(spend.limit_cents),
            })}
      </Text>
      {mayEdit && (
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          {spend.limit_cents === null ? t('Set a limit') : t('Change limit')}
        </Button>
      )}
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('Spending limit')}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        {isOpen && <SpendLimitForm cents={spend.limit_cents ?? 0} onDone={close} />}
      </Modal>
    </Group>
  );
}

function SpendLimitForm({ cents, onDone }: { cents: number; onDone: () => void }) {
  const companyId = useCompanyId() ?? 0;
  const [dollars, setDollars] = useState<number | string>(cents / 100 || '');
  const { mutate, isPending } = useApiMutation(settings.updateGeneralSettings, {
    success: t('Spending limit saved'),
    invalidates: [contract.usageSimple],
    onSuccess: onDone,
  });
  const save = (): void =>
    void mutate({
      query: { company_id: companyId },
      body: { spend_limit_cents: Math.round(Number(dollars) * 100) || null },
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="sm">
        <NumberInput
          data-autofocus
          label={t('Most that you spend beyond your plan in a billing period')}
          description={t(
            'When it is reached, calls, texts and purchases that cost more are refused. You’re told at 80% and 100%. Empty: no limit.',
          )}
          prefix="$"
          min={0}
          max={1_000_000}
          decimalScale={2}
          value={dollars}
          onChange={setDollars}
        />
        <DialogFooter onCancel={onDone}>
          <Button type="submit" loading={isPending}>
            {t('Save')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
