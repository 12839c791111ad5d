import { useEffect, useState } from 'react';
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { branding, tenant as tenantContract, type Answer } from '#contract';
import { formFields, Section, t, useApiMutation } from '#ui';
import css from './Pictures.module.css';

type Tenant = Answer<typeof tenantContract.getTenant>['data'];
type Kind = 'logo' | 'logo_dark' | 'favicon';

const labels: Record<Kind, string> = {
  logo: t('Logo'),
  logo_dark: t('Logo on dark backgrounds'),
  favicon: t('Icon of the browser tab'),
};
const kinds = Object.keys(labels) as Kind[];

/** The pictures of an organization's brand, each seen before it is saved. */
export function Pictures({ tenant }: { tenant: Tenant }) {
  const [chosen, setChosen] = useState<Partial<Record<Kind, File>>>({});
  const { mutate, isPending } = useApiMutation(branding.setOrganizationBranding, {
    success: t('Pictures saved'),
    invalidates: [tenantContract.getTenant, tenantContract.getTenantConfig],
  });
  const params = { id: tenant.organization_id };
  const save = async (): Promise<void> => {
    // Each file under its kind.
    if (await mutate({ params, body: formFields({ ...chosen }) })) setChosen({});
  };
  return (
    <Section
      title={t('Pictures')}
      about={t('PNG, JPEG or SVG up to 1 MB. Shown at your custom domain.')}
    >
      <Stack gap="md">
        {kinds.map((kind) => (
          <Picture
            key={kind}
            kind={kind}
            saved={tenant[kind]}
            file={chosen[kind] ?? null}
            choose={(file) => setChosen(withFile(chosen, kind, file))}
            remove={() => void mutate({ params, body: { remove: [kind] } })}
          />
        ))}
        <Group justify="flex-end">
          <Button
            loading={isPending}
            disabled={!kinds.some((kind) => chosen[kind])}
            onClick={() => void save()}
          >
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

const withFile = (chosen: Partial<Record<Kind, File>>, kind: Kind, file: File | null) =>
  file ? { ...chosen, [kind]: file } : chosen;

function Picture(props: {
  kind: Kind;
  saved: string | null;
  file: File | null;
  choose: (file: File | null) => void;
  remove: () => void;
}) {
  const { kind, saved, file } = props;
  const preview = usePreview(file);
  const shown = preview ?? saved;
  return (
    <Group justify="space-between" role="group" aria-label={labels[kind]}>
      <div>
        <Text fw={500}>{labels[kind]}</Text>
        <div className={css.preview} data-dark={kind === 'logo_dark' || undefined}>
          {shown ? <img src={shown} alt="" /> : <Text fz="sm">{t('None')}</Text>}
        </div>
      </div>
      <Group gap="xs">
        <FileButton accept="image/png,image/jpeg,image/svg+xml" onChange={props.choose}>
          {(button) => (
            <Button variant="default" {...button}>
              {t('Choose a picture')}
            </Button>
          )}
        </FileButton>
        {saved && (
          <Button variant="subtle" color="red" onClick={props.remove}>
            {t('Remove')}
          </Button>
        )}
      </Group>
    </Group>
  );
}

/** An address of a chosen file for this page; null: none is chosen. */
function usePreview(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return setAddress(null);
    const url = URL.createObjectURL(file);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return address;
}
