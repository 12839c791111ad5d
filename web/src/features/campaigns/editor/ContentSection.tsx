import { Textarea, TextInput } from '@mantine/core';
import { Section, t } from '#ui';
import { FilesField } from '../FilesField.tsx';
import { MessageField } from '../MessageField.tsx';
import type { CampaignEditorState } from './use-campaign-editor.ts';
import css from './CampaignForm.module.css';

/** Without a chosen number any of ours works: the file limits differ only by carrier. */
const exampleNumber = '+12125550100';

/** Title, message, opt-out text and files. `from`: the sending number, E.164. */
export function ContentSection({
  form,
  from,
}: {
  form: CampaignEditorState['form'];
  from: string | undefined;
}) {
  const { values } = form;
  return (
    <Section title={t('Content')}>
      <div className={css.fields}>
        <TextInput
          label={t('Title')}
          description={t('Only visible to your team')}
          maxLength={120}
          {...form.getInputProps('title')}
        />
        <MessageField
          value={values.text}
          unsubscribe={values.unsubscribe_text}
          error={form.errors['text']}
          onChange={(text) => form.setFieldValue('text', text)}
        />
        <Textarea
          label={t('Opt-out text')}
          description={t('Added as the last line')}
          autosize
          minRows={1}
          maxRows={3}
          {...form.getInputProps('unsubscribe_text')}
        />
        <FilesField
          kept={values.kept}
          files={values.files}
          from={from ?? exampleNumber}
          onKept={(kept) => form.setFieldValue('kept', kept)}
          onFiles={(chosen) => form.setFieldValue('files', chosen)}
        />
      </div>
    </Section>
  );
}
