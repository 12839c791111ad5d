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
import { IconPaperclip, IconPlus, IconTrash } from '@tabler/icons-react';
import { optInTypes, proofFiles } from '#contract/compliance/registration/lists';
import { hasProof } from '#contract/compliance/registration/rules';
import { toast, formatBytes, Section, StatusBadge, t } from '#ui';
import type { RegistrationForm } from './form.ts';

interface Props {
  form: RegistrationForm;
  upload: (at: number, files: File[]) => void;
  uploading: boolean;
}

/** Opt-in step: how people agree to receive texts, with proof. */
export function OptInStep({ form, upload, uploading }: Props) {
  const { optins } = form.values.campaign;
  const kept = optins.reduce((n, o) => n + o.supporting_files.length, 0);
  const choose = (at: number, files: File[]): void => {
    const large = files.find((f) => f.size > proofFiles.bytes);
    if (large) toast.warn(t('{name} is larger than 5 MB.', { name: large.name }));
    else if (kept + files.length > proofFiles.most)
      toast.warn(
        t('{n, plural, one {Attach up to # file.} other {Attach up to # files.}}', {
          n: proofFiles.most,
        }),
      );
    else if (files.length) upload(at, files);
  };
  return (
    <>
      {optins.map((o, i) => (
        <Section
          key={i}
          title={optins.length > 1 ? t('Opt-in method {n}', { n: i + 1 }) : t('How people opt in')}
          about={i === 0 ? t('Reviewers want to see exactly where people say yes.') : undefined}
          action={
            <Group gap="xs">
              <StatusBadge
                tone={hasProof({ ...o, files: o.supporting_files.length }) ? 'success' : 'warn'}
              >
                {hasProof({ ...o, files: o.supporting_files.length })
                  ? t('Proof added')
                  : t('Proof needed')}
              </StatusBadge>
              {optins.length > 1 && (
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
              {...form.getInputProps(`campaign.optins.${i}.type`)}
            />
            <Textarea
              label={t('What people see and do')}
              autosize
              minRows={2}
              maxLength={2000}
              {...form.getInputProps(`campaign.optins.${i}.description`)}
            />
            {o.type === 'text_to_join' && (
              <TagsInput
                label={t('Keywords they text')}
                placeholder={o.keywords.length ? '' : 'JOIN'}
                maxTags={10}
                {...form.getInputProps(`campaign.optins.${i}.keywords`)}
              />
            )}
            <TextInput
              label={t('Page URL')}
              placeholder="https://"
              {...form.getInputProps(`campaign.optins.${i}.url`)}
            />
            <div>
              <Group gap="xs">
                <FileButton
                  multiple
                  accept={proofFiles.types.join(',')}
                  onChange={(files) => choose(i, files)}
                >
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
                <small>
                  {t('PNG, JPEG or PDF, up to 5 MB each, {n} total.', { n: proofFiles.most })}
                </small>
              </Group>
              {form.errors[`campaign.optins.${i}.supporting_files`] && (
                <p role="alert">{form.errors[`campaign.optins.${i}.supporting_files`]}</p>
              )}
              {o.supporting_files.map((f, at) => (
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
                    onClick={() => form.removeListItem(`campaign.optins.${i}.supporting_files`, at)}
                  >
                    <IconTrash size={14} aria-hidden />
                  </ActionIcon>
                </Group>
              ))}
            </div>
          </Stack>
        </Section>
      ))}
      {optins.length < 5 && (
        <Group mt="md">
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() =>
              form.insertListItem('campaign.optins', {
                type: null,
                description: '',
                url: '',
                keywords: [],
                supporting_files: [],
              })
            }
          >
            {t('Add another opt-in method')}
          </Button>
        </Group>
      )}
    </>
  );
}
