import {
  ActionIcon,
  Button,
  FileButton,
  Group,
  Select,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconPaperclip, IconTrash } from '@tabler/icons-react';
import { optInTypes, proofFiles } from '#contract/compliance/registration/lists';
import { hasProof } from '#contract/compliance/registration/rules';
import { formatBytes, Section, StatusBadge, t } from '#ui';
import type { RegistrationForm, RegistrationValues } from './form.ts';

type OptIn = RegistrationValues['campaign']['optins'][number];
interface OptInMethodProps {
  form: RegistrationForm;
  optIn: OptIn;
  index: number;
  isOnly: boolean;
  uploading: boolean;
  /** Called with the files that were chosen as proof. */
  onFiles: (files: File[]) => void;
}

/** One way in which people agree to receive texts, with its proof. */
export function OptInMethod(props: OptInMethodProps) {
  const { form, optIn: o, index: i, isOnly } = props;
  const field = (name: keyof OptIn) => form.getInputProps(`campaign.optins.${i}.${name}`);
  return (
    <Section
      title={isOnly ? t('How people opt in') : t('Opt-in method {n}', { n: i + 1 })}
      about={i === 0 ? t('Reviewers want to see exactly where people say yes.') : undefined}
      action={
        <Group gap="xs">
          <ProofBadge optIn={o} />
          {!isOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('Remove opt-in method {n}', { n: i + 1 })}
              onClick={() => form.removeListItem('campaign.optins', i)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      }
    >
      <Stack gap="sm">
        <Select
          label={t('Method')}
          maw={320}
          data={Object.entries(optInTypes).map(([value, label]) => ({
            value,
            label: t(label),
          }))}
          allowDeselect={false}
          {...field('type')}
        />
        <Textarea
          label={t('What people see and do')}
          autosize
          minRows={2}
          maxLength={2000}
          {...field('description')}
        />
        {o.type === 'text_to_join' && (
          <TagsInput
            label={t('Keywords they text')}
            placeholder={o.keywords.length ? '' : 'JOIN'}
            maxTags={10}
            {...field('keywords')}
          />
        )}
        <TextInput label={t('Page URL')} placeholder="https://" {...field('url')} />
        <ProofFiles {...props} />
      </Stack>
    </Section>
  );
}

function ProofBadge({ optIn }: { optIn: OptIn }) {
  const isProven = hasProof({ ...optIn, files: optIn.supporting_files.length });
  return (
    <StatusBadge tone={isProven ? 'success' : 'warn'}>
      {isProven ? t('Proof added') : t('Proof needed')}
    </StatusBadge>
  );
}

function ProofFiles({ form, optIn, index, uploading, onFiles }: OptInMethodProps) {
  const path = `campaign.optins.${index}.supporting_files`;
  return (
    <div>
      <Group gap="xs">
        <FileButton multiple accept={proofFiles.types.join(',')} onChange={onFiles}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="compact-sm"
              loading={uploading}
              leftSection={<IconPaperclip size={14} aria-hidden />}
            >
              {t('Add images or documents')}
            </Button>
          )}
        </FileButton>
        <small>{t('PNG, JPEG or PDF, up to 5 MB each, {n} total.', { n: proofFiles.most })}</small>
      </Group>
      {form.errors[path] && <p role="alert">{form.errors[path]}</p>}
      {optIn.supporting_files.map((f, at) => (
        <Group key={f.id} gap="xs" mt={6} wrap="nowrap">
          <a href={f.url} target="_blank" rel="noreferrer">
            {f.name}
          </a>
          <small>{formatBytes(f.size)}</small>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={t('Remove {name}', { name: f.name })}
            onClick={() => form.removeListItem(path, at)}
          >
            <IconTrash size={14} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
    </div>
  );
}
