import { Button, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { compliance, normalizePhone, sentences } from '#contract';
import { bindFieldErrors, Modal, t, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { displayTarget } from './target.ts';

/** Form and request of a new block. */
function useBlockForm(close: () => void) {
  const form = useForm({
    initialValues: { kind: 'number', target: '' },
    validate: { target: targetError },
  });
  const leave = (): void => {
    close();
    form.reset();
  };
  const { mutate, isPending } = useApiMutation(compliance.addBlock, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [compliance.listBlocks],
    onSuccess: leave,
    success: (response) => t(sentences.blocked, { number: displayTarget(response.data.target) }),
  });
  const send = ({ kind, target }: { kind: string; target: string }): void => {
    const body = {
      target: targetOf(kind, target),
      action: 1,
      global: false,
      number_id: null,
    } as const;
    void mutate({ body });
  };
  return { form, leave, submit: form.onSubmit(send), isPending };
}

/** Blocks a phone number, a prefix, or all withheld numbers for the whole company. */
export function BlockDialog({ open, close }: { open: boolean; close: () => void }) {
  const { form, leave, submit, isPending } = useBlockForm(close);
  return (
    <Modal
      opened={open}
      onClose={leave}
      title={t('Block a number')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Select
            label={t('What to block')}
            allowDeselect={false}
            data={[
              { value: 'number', label: t('One number or sender') },
              { value: 'prefix', label: t('All numbers with the same prefix') },
              { value: 'anonymous', label: t('All withheld numbers') },
            ]}
            {...form.getInputProps('kind')}
          />
          {form.values.kind !== 'anonymous' && (
            <TextInput
              label={form.values.kind === 'prefix' ? t('First digits') : t('Number or sender')}
              placeholder={form.values.kind === 'prefix' ? '+1900' : '(212) 555-0147'}
              description={
                form.values.kind === 'number'
                  ? t('A phone number, a short code such as 68849, or a sender name.')
                  : undefined
              }
              data-autofocus
              {...form.getInputProps('target')}
            />
          )}
          <DialogFooter onCancel={leave}>
            <Button type="submit" color="red" loading={isPending}>
              {t('Block')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

const isSender = (target: string): boolean =>
  normalizePhone(target) !== null ||
  /^(?:\d{3,8}|(?=.*\p{L})[\p{L}\p{N} &+_.-]{3,11})$/u.test(target.trim());
const digitsOf = (text: string): string => text.replace(/[\s()-]/g, '');

function targetError(target: string, { kind }: { kind: string }): string | null {
  if (kind === 'number' && !isSender(target))
    return t('Enter a phone number, short code or sender name.');
  if (kind === 'prefix' && !/^\+?\d{2,12}$/.test(digitsOf(target)))
    return t('Enter the first digits, country code included.');
  return null;
}

/** The block target as the API accepts it: E.164, a sender, a prefix ending in an asterisk, or `anonymous`. */
function targetOf(kind: string, target: string): string {
  if (kind === 'anonymous') return 'anonymous';
  if (kind === 'number') return normalizePhone(target) ?? target.trim();
  const digits = digitsOf(target);
  return `${digits.startsWith('+') ? digits : `+${digits}`}*`;
}
