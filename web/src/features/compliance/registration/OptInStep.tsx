import { Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { proofFiles } from '#contract/compliance/registration/lists';
import { t, toast } from '#ui';
import { emptyOptIn, type RegistrationForm } from './form.ts';
import { OptInMethod } from './OptInMethod.tsx';

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
        <OptInMethod
          key={i}
          form={form}
          optIn={o}
          index={i}
          isOnly={optins.length === 1}
          uploading={uploading}
          onFiles={(files) => choose(i, files)}
        />
      ))}
      {optins.length < 5 && (
        <Group mt="md">
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => form.insertListItem('campaign.optins', emptyOptIn)}
          >
            {t('Add another opt-in method')}
          </Button>
        </Group>
      )}
    </>
  );
}
