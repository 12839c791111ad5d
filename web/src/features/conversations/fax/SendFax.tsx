import { Button, Checkbox, Collapse, Stack, Textarea, TextInput } from '@mantine/core';
import { Modal, t } from '#ui';
import { FromNumber } from '../composer/FromNumber.tsx';
import { MediaTray } from '../composer/MediaTray.tsx';
import { acceptedDocuments } from './labels.ts';
import { useFaxForm, type FaxForm, type FaxRecipient } from './use-fax-form.ts';
import css from './SendFax.module.css';

interface SendFaxProps {
  onClose: () => void;
  to?: FaxRecipient;
}

/** Faxes documents from one of the company's fax numbers, optionally with a cover page. */
export function SendFax({ onClose, to: known }: SendFaxProps) {
  const form = useFaxForm(known, onClose);
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
          form.send();
        }}
      >
        <Stack gap="sm">
          <FromNumber
            numbers={form.numbers}
            none={t('None of your numbers can fax. Buy a fax number first.')}
            value={form.from}
            onChange={form.setFrom}
          />
          <TextInput
            {...(!known && { 'data-autofocus': true })}
            type="tel"
            label={t('To')}
            placeholder="(212) 555-0147"
            autoComplete="off"
            value={form.to}
            error={form.problem.to}
            onChange={(e) => form.setTo(e.currentTarget.value)}
          />
          <Documents form={form} />
          <CoverPage cover={form.cover} />
          <Button type="submit" loading={form.isPending} disabled={form.from === null}>
            {t('Send fax')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

function Documents({ form: { files, setFiles, attach, problem } }: { form: FaxForm }) {
  return (
    <div>
      <label
        className={css.drop}
        onDragOver={(e) => e.preventDefault()}
        onDrop={(e) => {
          e.preventDefault();
          attach([...e.dataTransfer.files]);
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
            attach([...(e.currentTarget.files ?? [])]);
            e.currentTarget.value = '';
          }}
        />
      </label>
      {files.length > 0 && (
        <MediaTray files={files} onRemove={(gone) => setFiles(files.filter((f) => f !== gone))} />
      )}
      {problem.files && (
        <p className={css.wrong} role="alert">
          {problem.files}
        </p>
      )}
    </div>
  );
}

function CoverPage({ cover: { isOn, setOn, inputProps } }: { cover: FaxForm['cover'] }) {
  return (
    <>
      <Checkbox
        label={t('Cover page')}
        checked={isOn}
        onChange={(e) => setOn(e.currentTarget.checked)}
      />
      <Collapse expanded={isOn}>
        <Stack gap="sm">
          <TextInput label={t('Cover page: to')} {...inputProps('to', 80)} />
          <TextInput label={t('Cover page: from')} {...inputProps('from', 80)} />
          <TextInput label={t('Subject')} {...inputProps('subject', 120)} />
          <Textarea
            label={t('Note')}
            minRows={3}
            maxRows={8}
            autosize
            {...inputProps('note', 1000)}
          />
        </Stack>
      </Collapse>
    </>
  );
}
