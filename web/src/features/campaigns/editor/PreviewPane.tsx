import { fullText, render, tagsIn } from '#contract/campaigns/rules';
import { Section, t } from '#ui';
import { CostEstimate } from '../CostEstimate.tsx';
import { PhonePreview, type Sample } from '../PhonePreview.tsx';
import { useFileAddresses } from '../use-file-addresses.ts';
import type { CampaignEditorState } from './use-campaign-editor.ts';
import css from './CampaignForm.module.css';

/** A sample recipient until a group is chosen. */
const examplePerson = {
  first_name: 'Dana',
  last_name: 'Reed',
  phone: '(212) 555-0147',
  email: 'dana@example.com',
};

/** The message in a phone frame, its recipients and its cost. `from`: the sending number, E.164. */
export function PreviewPane({
  editor,
  from,
}: {
  editor: CampaignEditorState;
  from: string | null;
}) {
  const { form, preview, refreshing } = editor;
  const { values } = form;
  const files = useFileAddresses(values.files);
  const kept = values.kept.map((file) => ({
    key: String(file.id),
    name: file.name,
    url: file.type.startsWith('image/') ? file.url : null,
  }));
  const example: Sample = {
    name: tagsIn(values.text).used.length ? t('Dana (example)') : '',
    number: '',
    text: values.text.trim()
      ? render(fullText(values.text, values.unsubscribe_text), examplePerson)
      : '',
  };
  const recipients = preview?.first_three_rendered ?? [];
  return (
    <aside className={css.side} aria-label={t('Preview')}>
      <PhonePreview
        from={from}
        samples={recipients.length > 0 ? recipients : [example]}
        files={[...kept, ...files]}
      />
      <Section title={t('Before you send')}>
        <CostEstimate preview={preview} refreshing={refreshing} />
      </Section>
    </aside>
  );
}
