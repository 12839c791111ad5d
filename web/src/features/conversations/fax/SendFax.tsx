import { useEffect, useState } from 'react';
import { Button, Checkbox, Collapse, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { conversations, fax } from '#contract';
import { formatPhone, normalizePhone } from '#contract/phone';
import { formFields, navigate, Modal, t, useSession, useApiMutation } from '#ui';
import { MediaTray } from '../composer/MediaTray.tsx';
import { conversationHref } from '../list/use-inbox.ts';
import { useOurNumbers } from '../use-our-numbers.ts';
import { acceptedDocuments, selectDocuments } from './labels.ts';
import css from './SendFax.module.css';

interface SendFaxProps {
  onClose: () => void;
  /** The recipient, and the company's number in their conversation. */ to?: {
    number: string;
    name: string | null;
    ours: number;
  };
}

/** Faxes documents from one of the company's fax numbers, optionally with a cover page. */
export function SendFax({ onClose, to: known }: SendFaxProps) {
  const numbers = useOurNumbers().filter((n) => n.canFax);
  const person = useSession((s) => s.user?.name ?? '');
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState(known ? formatPhone(known.number) : '');
  const [files, setFiles] = useState<File[]>([]);
  const [withCover, setWithCover] = useState(false);
  const [cover, setCover] = useState({
    to: known?.name ?? '',
    from: person,
    subject: '',
    note: '',
  });
  const [problem, setProblem] = useState<{ to?: string; files?: string }>({});
  const { mutate, isPending } = useApiMutation(fax.sendFax, {
    invalidates: [conversations.listConversations, conversations.listActivity],
    success: t('Sending fax'),
    onSuccess: (response) => {
      onClose();
      if (response.data.conversationId) navigate(conversationHref(response.data.conversationId));
    },
  });
  useEffect(() => {
    if (!from && numbers.length > 0)
      setFrom(String(numbers.find((n) => n.id === known?.ours)?.id ?? numbers[0]!.id));
  }, [numbers, from, known]);
  const send = async (): Promise<void> => {
    const number = normalizePhone(to);
    if (!number) return setProblem({ to: t('Enter a fax number with area code.') });
    if (files.length === 0) return setProblem({ files: t('Attach a document to fax.') });
    setProblem({});
    await mutate({
      body: formFields({ numberId: Number(from), to: number, files, ...(withCover && { cover }) }),
    });
  };
  const add = (more: readonly File[]): void => {
    const chosen = selectDocuments(files, more);
    setFiles(chosen.files);
    setProblem(chosen.problem ? { files: chosen.problem } : {});
  };
  const field = (key: keyof typeof cover, max: number) => ({
    value: cover[key],
    maxLength: max,
    onChange: (e: { currentTarget: { value: string } }) =>
      setCover({ ...cover, [key]: e.currentTarget.value }),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('New fax')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void send();
        }}
      >
        <Stack gap="sm">
          <Select
            label={t('From')}
            data={numbers.map((n) => ({
              value: String(n.id),
              label: n.label === n.formatted ? n.label : `${n.label}  ${n.formatted}`,
            }))}
            value={from}
            onChange={setFrom}
            allowDeselect={false}
            disabled={numbers.length === 0}
            description={
              numbers.length === 0
                ? t('None of your numbers can fax. Buy a fax number first.')
                : undefined
            }
          />
          <TextInput
            {...(!known && { 'data-autofocus': true })}
            type="tel"
            label={t('To')}
            placeholder="(212) 555-0147"
            autoComplete="off"
            value={to}
            error={problem.to}
            onChange={(e) => {
              setTo(e.currentTarget.value);
              setProblem({});
            }}
          />
          <div>
            <label
              className={css.drop}
              onDragOver={(e) => e.preventDefault()}
              onDrop={(e) => {
                e.preventDefault();
                add([...e.dataTransfer.files]);
              }}
            >
              <span className={css.choose}>{t('Choose documents')}</span> {t('or drop them here')}
              <small>{t('PDF, TIFF or images, up to 100 pages and 15 MB total')}</small>
              <input
                type="file"
                multiple
                accept={acceptedDocuments}
                aria-label={t('Documents')}
                onChange={(e) => {
                  add([...(e.currentTarget.files ?? [])]);
                  e.currentTarget.value = '';
                }}
              />
            </label>
            {files.length > 0 && (
              <MediaTray
                files={files}
                onRemove={(gone) => setFiles(files.filter((f) => f !== gone))}
              />
            )}
            {problem.files && (
              <p className={css.wrong} role="alert">
                {problem.files}
              </p>
            )}
          </div>
          <Checkbox
            label={t('Cover page')}
            checked={withCover}
            onChange={(e) => setWithCover(e.currentTarget.checked)}
          />
          <Collapse expanded={withCover}>
            <Stack gap="sm">
              <TextInput label={t('Cover page: to')} {...field('to', 80)} />
              <TextInput label={t('Cover page: from')} {...field('from', 80)} />
              <TextInput label={t('Subject')} {...field('subject', 120)} />
              <Textarea
                label={t('Note')}
                minRows={3}
                maxRows={8}
                autosize
                {...field('note', 1000)}
              />
            </Stack>
          </Collapse>
          <Button type="submit" loading={isPending} disabled={!from}>
            {t('Send fax')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
