import { useState } from 'react';
import { Alert, Button, FileInput, Select, Stack, Textarea } from '@mantine/core';
import { caddy } from '#contract';
import { reportCategories, supportFileBytes } from '#contract/caddy/rules';
import { formFields, Section, t, useApiMutation } from '#ui';
import { appVersion, device } from '../session.ts';
import { AccountPage } from './AccountPage.tsx';
import { Review } from './Review.tsx';

const categories: Record<(typeof reportCategories)[number], string> = {
  calls: 'Calls',
  texts: 'Texts',
  numbers: 'Numbers',
  billing: 'Billing',
  account: 'Account',
  other: 'Something else',
};

/** Reports a problem to support, and rates the app. */
export default function Support() {
  return (
    <AccountPage title={t('Help and feedback')}>
      {() => (
        <Stack gap="lg">
          <Report />
          <Review />
        </Stack>
      )}
    </AccountPage>
  );
}

/** Uploads the file, then sends the report that names it. */
function useReport() {
  const [reference, setReference] = useState<string | null>(null);
  const upload = useApiMutation(caddy.uploadCaddySupportFile);
  const report = useApiMutation(caddy.reportCaddyCustomer);
  const send = async (category: string, message: string, file: File | null): Promise<boolean> => {
    const stored = file && (await upload.mutate({ body: formFields({ file }) }));
    if (file && !stored) return false;
    const sent = await report.mutate({
      body: {
        category: category as keyof typeof categories,
        message: message.trim(),
        fileIds: stored ? [stored.data.id] : [],
        appVersion,
        device: device(),
      },
    });
    setReference(sent?.data.reference ?? null);
    return sent !== null;
  };
  return { send, reference, isPending: upload.isPending || report.isPending };
}

function Report() {
  const { send, reference, isPending } = useReport();
  const [category, setCategory] = useState<string | null>('other');
  const [message, setMessage] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const submit = async (): Promise<void> => {
    if (!(await send(category ?? 'other', message, file))) return;
    setMessage('');
    setFile(null);
  };
  return (
    <Section title={t('Report a problem')}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void submit();
        }}
      >
        <Stack gap="sm">
          {reference && (
            <Alert color="green" role="status">
              {t('Thank you. We answer by email. Your reference is {reference}.', { reference })}
            </Alert>
          )}
          <Select
            label={t('What is it about?')}
            allowDeselect={false}
            data={reportCategories.map((value) => ({ value, label: t(categories[value]) }))}
            value={category}
            onChange={setCategory}
          />
          <Textarea
            label={t('What happened?')}
            autosize
            minRows={3}
            maxLength={10_000}
            value={message}
            onChange={(e) => setMessage(e.currentTarget.value)}
          />
          <FileInput
            label={t('Screenshot or file')}
            description={t('Optional, up to {n} MB.', { n: supportFileBytes / 1024 / 1024 })}
            placeholder={t('Choose a file')}
            clearable
            clearButtonProps={{ 'aria-label': t('Remove the file') }}
            value={file}
            onChange={setFile}
          />
          <Button type="submit" loading={isPending} disabled={!message.trim()}>
            {t('Send report')}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
