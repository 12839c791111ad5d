import { Button, FileButton, Group, Text } from '@mantine/core';
import { t } from '#ui';
import { pictureLabels, type PictureKind } from './brand.ts';
import css from './PictureField.module.css';

/** A picture of a brand: what is shown, another one, or none. `shown` null: none. */
export function PictureField({
  kind,
  shown,
  choose,
  remove,
}: {
  kind: PictureKind;
  shown: string | null;
  choose: (file: File | null) => void;
  remove: () => void;
}) {
  const label = pictureLabels[kind];
  return (
    <div className={css.field} role="group" aria-label={label}>
      <Text fw={500}>{label}</Text>
      <div className={css.picture} data-dark={kind === 'logo_dark' || undefined}>
        {shown ? <img src={shown} alt="" /> : <Text fz="sm">{t('None')}</Text>}
      </div>
      <Group gap="xs">
        <FileButton
          accept="image/png,image/jpeg,image/svg+xml"
          onChange={choose}
          inputProps={{ 'aria-label': label }}
        >
          {(button) => (
            <Button variant="default" size="compact-sm" {...button}>
              {shown ? t('Change') : t('Choose a picture')}
            </Button>
          )}
        </FileButton>
        {shown && (
          <Button variant="subtle" color="red" size="compact-sm" onClick={remove}>
            {t('Remove')}
          </Button>
        )}
      </Group>
    </div>
  );
}
