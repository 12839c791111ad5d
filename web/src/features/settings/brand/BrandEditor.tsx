import { Alert, Button, ColorInput, Group, SimpleGrid, Text } from '@mantine/core';
import { contrastWarnings } from '#contract/settings/tenant/rules';
import { confirm, Section, t } from '#ui';
import { pictureKinds, type SavedLook } from './brand.ts';
import { PictureField } from './PictureField.tsx';
import { Preview } from './Preview.tsx';
import { useBrandDraft } from './use-brand-draft.ts';

const swatches = ['#0F766E', '#1D4ED8', '#6D28D9', '#BE123C', '#B45309', '#334155'];

/**
 * The pictures and colors of a brand, seen in both themes before they are saved.
 * @param about where this brand is shown
 * @param save takes the fields of the form; true: saved
 */
export function BrandEditor({
  saved,
  name,
  about,
  save,
  isPending,
}: {
  saved: SavedLook;
  name: string;
  about: string;
  save: (fields: Record<string, unknown>) => Promise<boolean>;
  isPending: boolean;
}) {
  const draft = useBrandDraft(saved);
  const { shown } = draft;
  const submit = async (fields: Record<string, unknown>): Promise<void> => {
    if (await save(fields)) draft.reset();
  };
  const restore = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Restore the default look?'),
      body: t('The pictures and colors saved here are removed.'),
      confirmLabel: t('Restore default'),
    });
    if (isSure) await submit({ remove: pictureKinds, primary_color: '', secondary_color: '' });
  };
  return (
    <Section title={t('Look')} about={about}>
      <Fields draft={draft} />
      {contrastWarnings(shown).map((warning) => (
        <Alert key={warning} color="yellow" mt="sm">
          {warning}
        </Alert>
      ))}
      <Text fw={500} mt="lg" mb="xs">
        {t('Preview')}
      </Text>
      <Preview look={shown} name={name} />
      <Actions
        draft={draft}
        canRestore={Object.values(saved).some(Boolean)}
        isPending={isPending}
        restore={() => void restore()}
        submit={() => void submit(draft.fields())}
      />
    </Section>
  );
}

type Draft = ReturnType<typeof useBrandDraft>;

function Fields({ draft }: { draft: Draft }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {pictureKinds.map((kind) => (
          <PictureField
            key={kind}
            kind={kind}
            shown={draft.shown[kind]}
            choose={(file) => file && draft.choose(kind, file)}
            remove={() => draft.choose(kind, null)}
          />
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt="xs">
        {t('PNG, JPEG or SVG up to 1 MB.')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="md">
        <ColorInput
          label={t('Primary color')}
          description={t('Buttons, what is selected and sent messages.')}
          placeholder="#0F766E"
          swatches={swatches}
          eyeDropperButtonProps={{ 'aria-label': t('Pick a color on the screen') }}
          {...draft.color('primary_color')}
        />
        <ColorInput
          label={t('Secondary color')}
          description={t('Links. Without one, they have the primary color.')}
          placeholder="#334155"
          swatches={swatches}
          eyeDropperButtonProps={{ 'aria-label': t('Pick a color on the screen') }}
          {...draft.color('secondary_color')}
        />
      </SimpleGrid>
    </>
  );
}

function Actions({
  draft,
  canRestore,
  isPending,
  restore,
  submit,
}: {
  draft: Draft;
  canRestore: boolean;
  isPending: boolean;
  restore: () => void;
  submit: () => void;
}) {
  return (
    <Group gap="xs" my="md">
      <Button loading={isPending} disabled={!draft.isDirty || draft.hasProblem} onClick={submit}>
        {t('Save')}
      </Button>
      <Button variant="default" disabled={!draft.isDirty || isPending} onClick={draft.reset}>
        {t('Discard changes')}
      </Button>
      <Button variant="subtle" color="gray" disabled={isPending || !canRestore} onClick={restore}>
        {t('Restore default')}
      </Button>
    </Group>
  );
}
