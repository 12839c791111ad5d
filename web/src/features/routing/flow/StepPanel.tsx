import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { routing } from '#contract';
import { routeBounds } from '#contract/routing/rules';
import { NumberInput, t } from '#ui';
import { Destinations } from '../Destinations.tsx';
import { GreetingPicker } from '../../numbers/index.ts';
import { typeDescriptions, typeOptions } from '../labels.ts';
import type { DraftForm, DraftRoute } from '../draft.ts';
import { RouteOptions } from '../RouteOptions.tsx';
import routeCss from '../RouteEditor.module.css';
import { parseStepId, removeBlockReason } from './edit.ts';
import css from './FlowEditor.module.css';
import type { FlowStep } from './graph.ts';
import { StepIcon } from './icons.tsx';

interface StepPanelProps {
  form: DraftForm;
  step: FlowStep | null;
  mayEdit: boolean;
  numberId: number;
  onRemove: (id: string) => void;
  onSelect: (id: string) => void;
}

/**
 * The selected step's form. Steps of one route share its fields: destinations, then hours,
 * voicemail and the rest.
 */
export function StepPanel({ form, step, mayEdit, numberId, onRemove, onSelect }: StepPanelProps) {
  if (step === null)
    return <p className={css.quiet}>{t('Select a step to edit it, or add one from above.')}</p>;
  const key = parseStepId(step.id).route;
  const index = form.values.routes.findIndex((one) => one.key === key);
  return (
    <Stack gap="md">
      <Group gap="xs" wrap="nowrap" className={css.panelHead ?? ''}>
        <StepIcon kind={step.kind} />
        <h2>{step.title}</h2>
        {mayEdit && removeBlockReason(step.id) === null && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => onRemove(step.id)}
          >
            {t('Remove')}
          </Button>
        )}
      </Group>
      {step.kind === 'start' && (
        <p className={css.quiet}>
          {t('Every call to this number starts here.')}{' '}
          <a href={`/numbers/${numberId}?tab=settings`}>{t('Number settings')}</a>
        </p>
      )}
      {step.kind === 'screen' && (
        <p className={css.quiet}>
          {t('Blocked callers are rejected before anything else.')}{' '}
          <a href="/settings/blocked">{t('Blocked callers')}</a>
        </p>
      )}
      {(step.kind === 'menu' || step.id === 'nobody') && (
        <MenuFields form={form} mayEdit={mayEdit} />
      )}
      {step.id === 'none' && <p className={css.quiet}>{t('Add an extension to set who rings.')}</p>}
      {index >= 0 && (
        <RouteFields
          key={`${key}-${index}`}
          form={form}
          index={index}
          step={step}
          mayEdit={mayEdit}
          onSelect={onSelect}
        />
      )}
    </Stack>
  );
}

function MenuFields({ form, mayEdit }: { form: DraftForm; mayEdit: boolean }) {
  const { routes, menu } = form.values;
  return (
    <Stack gap="sm">
      <GreetingPicker
        label={t('Menu greeting')}
        type="menu"
        none={t('Custom text')}
        readOnly={!mayEdit}
        value={menu.greeting_id ?? null}
        onChange={(id) => form.setFieldValue('menu.greeting_id', id)}
      />
      {!menu.greeting_id && (
        <Textarea
          label={t('What callers hear')}
          placeholder={t('Created from the labels')}
          autosize
          minRows={3}
          maxLength={1000}
          readOnly={!mayEdit}
          {...form.getInputProps('menu.greeting')}
        />
      )}
      <Select
        label={t('If no key is pressed')}
        readOnly={!mayEdit}
        clearable={mayEdit}
        clearButtonProps={{ 'aria-label': t('Clear') }}
        placeholder={t('Voicemail if on, otherwise the first extension')}
        data={[
          { value: 'voicemail', label: t('Voicemail') },
          ...routes.map((one) => ({
            value: String(one.extension),
            label:
              one.label === ''
                ? t('Extension {n}', { n: one.extension })
                : `${one.extension} ${one.label}`,
          })),
        ].filter((one, i, all) => all.findIndex((other) => other.value === one.value) === i)}
        value={menu.fallback || null}
        onChange={(value) => form.setFieldValue('menu.fallback', value ?? '')}
      />
    </Stack>
  );
}

interface RouteFieldsProps {
  form: DraftForm;
  index: number;
  step: FlowStep;
  mayEdit: boolean;
  onSelect: (id: string) => void;
}

/** Who rings, at the route and its destinations; the route's other fields at its other steps. */
function RouteFields({ form, index, step, mayEdit, onSelect }: RouteFieldsProps) {
  const route = form.values.routes[index];
  if (!route) return null;
  const rings = step.kind === 'route' || step.kind === 'ring';
  return (
    <Stack gap="md" className={css.fields ?? ''}>
      {rings ? (
        <RingFields form={form} index={index} mayEdit={mayEdit} route={route} />
      ) : (
        <>
          <RouteOptions form={form} index={index} mayEdit={mayEdit} />
          <Group>
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => onSelect(`route:${route.key}`)}
            >
              {t('Who rings')}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

type RouteFormProps = Pick<RouteFieldsProps, 'form' | 'index' | 'mayEdit'>;

function RingFields({ form, index, mayEdit, route }: RouteFormProps & { route: DraftRoute }) {
  const at = `routes.${index}` as const;
  return (
    <>
      {form.values.routes.length > 1 && (
        <ExtensionFields form={form} index={index} mayEdit={mayEdit} />
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
      <p className={css.quiet}>{t(typeDescriptions[route.type] ?? '')}</p>
      {route.type !== 'voicemail' && (
        <div className={css.narrow}>
          <Destinations form={form} index={index} mayEdit={mayEdit} />
        </div>
      )}
      <details className={routeCss.each}>
        <summary>{t('Hours, voicemail and options')}</summary>
        <RouteOptions form={form} index={index} mayEdit={mayEdit} />
      </details>
    </>
  );
}

function ExtensionFields({ form, index, mayEdit }: RouteFormProps) {
  const at = `routes.${index}` as const;
  return (
    <Group gap="sm" grow preventGrowOverflow={false} wrap="nowrap">
      <NumberInput
        label={t('Extension')}
        w={96}
        style={{ flex: 'none' }}
        min={routeBounds.extension[0]}
        max={routeBounds.extension[1]}
        allowDecimal={false}
        hideControls
        readOnly={!mayEdit}
        {...form.getInputProps(`${at}.extension`)}
      />
      <TextInput
        label={t('Label')}
        placeholder={t('Sales')}
        maxLength={80}
        readOnly={!mayEdit}
        {...form.getInputProps(`${at}.label`)}
      />
    </Group>
  );
}
