import { useState } from 'react';
import { ActionIcon, Button, Collapse, Select, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconTrash } from '@tabler/icons-react';
import type { routing } from '#contract';
import { routeBounds } from '#contract/routing/rules';
import { NumberInput, showUndoToast, t } from '#ui';
import { Destinations } from './Destinations.tsx';
import { typeDescriptions, typeOptions } from './labels.ts';
import type { RouteOptionsProps } from './ring-options.tsx';
import { RouteOptions } from './RouteOptions.tsx';
import css from './RouteEditor.module.css';

interface RouteCardProps extends RouteOptionsProps {
  /** Whether the number has several routes, which callers choose by extension. */
  several: boolean;
}

/** One route: extension, type and destinations; further options on demand. */
export function RouteCard({ form, index, several, mayEdit }: RouteCardProps) {
  const route = form.values.routes[index];
  if (!route) return null;
  const name = route.label === '' ? t('Extension {n}', { n: route.extension }) : route.label;
  const remove = (): void => {
    const before = form.getValues().routes;
    form.setFieldValue(
      'routes',
      before.filter((_, i) => i !== index),
    );
    showUndoToast(t('{name} was removed', { name }), () => form.setFieldValue('routes', before));
  };
  return (
    <li className={css.route} aria-label={name}>
      <div className={css.head} data-single={!several || undefined}>
        <RouteFields form={form} index={index} several={several} mayEdit={mayEdit} />
        {several && mayEdit && (
          <ActionIcon size={36} aria-label={t('Remove {name}', { name })} onClick={remove}>
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </div>
      <p className={css.quiet}>{t(typeDescriptions[route.type] ?? '')}</p>
      {route.type !== 'voicemail' && <Destinations form={form} index={index} mayEdit={mayEdit} />}
      <MoreOptions form={form} index={index} mayEdit={mayEdit} />
    </li>
  );
}

/** Extension and label, where there are several routes, and the ring type. */
function RouteFields({ form, index, several, mayEdit }: RouteCardProps) {
  const at = `routes.${index}` as const;
  return (
    <>
      {several && (
        <NumberInput
          label={t('Extension')}
          min={routeBounds.extension[0]}
          max={routeBounds.extension[1]}
          allowDecimal={false}
          hideControls
          readOnly={!mayEdit}
          {...form.getInputProps(`${at}.extension`)}
        />
      )}
      {several && (
        <TextInput
          label={t('Label')}
          placeholder={t('Sales')}
          maxLength={80}
          readOnly={!mayEdit}
          {...form.getInputProps(`${at}.label`)}
        />
      )}
      <Select
        label={t('Ring type')}
        data={typeOptions()}
        allowDeselect={false}
        readOnly={!mayEdit}
        {...form.getInputProps(`${at}.type`)}
        onChange={(type) =>
          form.setFieldValue(`${at}.type`, (type ?? 'standard') as routing.Route['type'])
        }
      />
    </>
  );
}

function MoreOptions(props: RouteOptionsProps) {
  const [open, setOpen] = useState(false);
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        aria-expanded={open}
        leftSection={
          open ? (
            <IconChevronDown size={16} aria-hidden />
          ) : (
            <IconChevronRight size={16} aria-hidden />
          )
        }
        onClick={() => setOpen(!open)}
      >
        {t('Hours, voicemail and options')}
      </Button>
      <Collapse expanded={open} transitionDuration={120}>
        {open && <RouteOptions {...props} />}
      </Collapse>
    </div>
  );
}
