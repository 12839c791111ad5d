import { Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { greetings, routing } from '#contract';
import { formatDuration, NumberInput, t, useApiQuery, usePermission } from '#ui';
import { GreetingPicker } from '../numbers/index.ts';
import { afterHoursActions, type DraftRoute } from './draft.ts';
import { HoursField } from './HoursField.tsx';
import { musicOptions } from './labels.ts';
import type { DraftForm } from './RouteCard.tsx';
import css from './RouteEditor.module.css';

interface RouteOptionsProps {
  form: DraftForm;
  index: number;
  mayEdit: boolean;
}
interface FieldsProps extends RouteOptionsProps {
  route: DraftRoute;
  /** Path of the route in the form. */
  at: `routes.${number}`;
}

/** The first error at or below a path of the form. */
const errorBelow = (form: DraftForm, path: string): React.ReactNode =>
  Object.entries(form.errors).find(([field]) => field.startsWith(path))?.[1];

/** Everything about a route except who rings: hours, ringing, voicemail and alerts. */
export function RouteOptions({ form, index, mayEdit }: RouteOptionsProps) {
  const route = form.values.routes[index];
  if (!route) return null;
  const at = `routes.${index}` as const;
  const rings = route.type !== 'voicemail';
  const hasLimitedHours = route.business_hours !== null && route.business_hours.preset !== 1;
  const fields = { form, index, mayEdit, route, at };
  return (
    <div className={css.options}>
      <HoursField
        value={route.business_hours}
        onChange={(hours) => form.setFieldValue(`${at}.business_hours`, hours)}
        mayEdit={mayEdit}
        error={errorBelow(form, `${at}.business_hours`)}
      />
      {(hasLimitedHours || route.type === 'in-app-calling') && <AfterHoursFields {...fields} />}
      {rings && (
        <div className={css.fields}>
          <RingingFields {...fields} />
          <RingTypeFields {...fields} />
          <AnswerFields {...fields} />
        </div>
      )}
      <div className={css.fields}>
        <VoicemailFields {...fields} />
        <TagsInput
          className={css.wide}
          label={t('Email about calls to')}
          placeholder={route.email_alert_address.length === 0 ? 'front@example.com' : ''}
          splitChars={[',', ' ', ';']}
          readOnly={!mayEdit}
          {...form.getInputProps(`${at}.email_alert_address`)}
          error={errorBelow(form, `${at}.email_alert_address`)}
        />
      </div>
    </div>
  );
}

/** What callers meet when closed, or when no one is active in the app. */
function AfterHoursFields({ form, index, mayEdit, route, at }: FieldsProps) {
  const field = { readOnly: !mayEdit };
  const { action } = route.after_hours;
  const others = form.values.routes.filter(
    (one, i) => i !== index && one.extension !== route.extension,
  );
  return (
    <div className={css.fields}>
      <Select
        label={
          route.type === 'in-app-calling'
            ? t('After hours, or when no one is active')
            : t('After hours')
        }
        {...field}
        clearable={mayEdit}
        clearButtonProps={{ 'aria-label': t('Clear') }}
        placeholder={t('Voicemail if on, otherwise a message')}
        data={[
          { value: 'voicemail', label: t('Voicemail') },
          { value: 'forward', label: t('Forward to a phone') },
          { value: 'greeting', label: t('Play a message and hang up') },
          ...(others.length > 0 ? [{ value: 'route', label: t('Another extension') }] : []),
        ]}
        value={action === '' ? null : action}
        onChange={(value) =>
          form.setFieldValue(`${at}.after_hours`, {
            action: afterHoursActions.find((one) => one === value) ?? '',
            target: '',
            greeting_id: null,
          })
        }
      />
      {action === 'forward' && (
        <TextInput
          label={t('Phone')}
          inputMode="tel"
          placeholder="(212) 555-0147"
          {...field}
          {...form.getInputProps(`${at}.after_hours.target`)}
        />
      )}
      {action === 'greeting' && (
        <GreetingPicker
          label={t('Greeting')}
          type="after_hours"
          none={t('Custom text')}
          readOnly={!mayEdit}
          value={route.after_hours.greeting_id ?? null}
          onChange={(id) => form.setFieldValue(`${at}.after_hours.greeting_id`, id)}
        />
      )}
      {action === 'greeting' && !route.after_hours.greeting_id && (
        <Textarea
          label={t('What callers hear')}
          maxLength={1000}
          {...field}
          {...form.getInputProps(`${at}.after_hours.target`)}
        />
      )}
      {action === 'route' && (
        <Select
          label={t('Extension')}
          data={others.map((one) => ({
            value: String(one.extension),
            label: one.label === '' ? String(one.extension) : `${one.extension} ${one.label}`,
          }))}
          {...field}
          {...form.getInputProps(`${at}.after_hours.target`)}
          value={route.after_hours.target || null}
        />
      )}
    </div>
  );
}

function RingingFields({ form, mayEdit, route, at }: FieldsProps) {
  const field = { readOnly: !mayEdit };
  const holdGreetings = useApiQuery(
    greetings.listGreetings,
    { query: { type: 'hold', perPage: 250 } },
    { enabled: usePermission('routing.view'), silent: true, staleTime: 30_000 },
  );
  const ownMusic = (holdGreetings.response?.data ?? []).map((one) => ({
    value: String(one.id),
    label: `${one.name} (${formatDuration(one.duration_ms / 1000)})`,
  }));
  return (
    <>
      <NumberInput
        label={t('Rings for')}
        suffix=" s"
        min={5}
        max={120}
        allowDecimal={false}
        hideControls
        {...field}
        {...form.getInputProps(`${at}.timeout`)}
      />
      <Select
        label={t('Callers hear while it rings')}
        placeholder={t('Ringback tone')}
        clearable={mayEdit}
        clearButtonProps={{ 'aria-label': t('Clear') }}
        data={[
          ...musicOptions(),
          ...(ownMusic.length > 0 ? [{ group: t('Custom'), items: ownMusic }] : []),
        ]}
        {...field}
        value={route.onhold_music_id || null}
        onChange={(value) => form.setFieldValue(`${at}.onhold_music_id`, value ?? '')}
      />
      <Select
        label={t('Caller ID shown')}
        data={[
          { value: 'pass', label: t('The caller’s number') },
          { value: 'own', label: t('This number') },
        ]}
        allowDeselect={false}
        {...field}
        value={route.caller_id_pass_thru ? 'pass' : 'own'}
        onChange={(value) => form.setFieldValue(`${at}.caller_id_pass_thru`, value !== 'own')}
      />
    </>
  );
}

/** Options that only one ring type has. */
function RingTypeFields({ form, mayEdit, route, at }: FieldsProps) {
  const field = { readOnly: !mayEdit };
  const toggle = { disabled: !mayEdit };
  return (
    <>
      {route.type === 'geo' && (
        <Switch
          label={t('Also use the caller’s state')}
          description={t('Used when no area code matches.')}
          {...toggle}
          checked={route.geo_by_state_enabled}
          onChange={(event) =>
            form.setFieldValue(`${at}.geo_by_state_enabled`, event.currentTarget.checked)
          }
        />
      )}
      {route.type === 'geo' && (
        <Switch
          label={t('Ring “all other areas” when none match')}
          {...toggle}
          checked={route.geo_by_state_static_fallback}
          onChange={(event) =>
            form.setFieldValue(`${at}.geo_by_state_static_fallback`, event.currentTarget.checked)
          }
        />
      )}
      {route.type === 'simultaneous' && (
        <Switch
          label={t('Stagger: five seconds between destinations')}
          {...toggle}
          checked={route.stagger}
          onChange={(event) => form.setFieldValue(`${at}.stagger`, event.currentTarget.checked)}
        />
      )}
      {route.type === 'sequential' && (
        <Select
          label={t('Ring order')}
          data={[
            { value: 'none', label: t('Always the first') },
            { value: 'strict', label: t('Round robin') },
            { value: 'least_recent', label: t('Longest idle first') },
            { value: 'weighted', label: t('By weight') },
          ]}
          allowDeselect={false}
          {...field}
          {...form.getInputProps(`${at}.round_robin`)}
        />
      )}
    </>
  );
}

/** What the person who answers hears and has to press. */
function AnswerFields({ form, mayEdit, route, at }: FieldsProps) {
  const field = { readOnly: !mayEdit };
  return (
    <>
      {route.type !== 'in-app-calling' && (
        <Select
          label={t('Key to accept the call')}
          description={t('Keeps answering machines from picking up.')}
          placeholder={t('None')}
          clearable={mayEdit}
          clearButtonProps={{ 'aria-label': t('Clear') }}
          data={routing.confirmKeys.map((one) => ({ value: one.value, label: one.label }))}
          {...field}
          value={route.confirm_key || null}
          onChange={(value) => form.setFieldValue(`${at}.confirm_key`, value ?? '')}
        />
      )}
      {route.confirm_key !== '' && route.type !== 'in-app-calling' && (
        <NumberInput
          label={t('Wait for key')}
          suffix=" s"
          min={1}
          max={60}
          allowDecimal={false}
          hideControls
          {...field}
          {...form.getInputProps(`${at}.confirm_key_wait`)}
        />
      )}
      <Textarea
        className={css.wide}
        label={t('Whisper')}
        description={t('Played to whichever person answers, before the caller is connected.')}
        minRows={1}
        maxLength={500}
        {...field}
        {...form.getInputProps(`${at}.confirm_whisper`)}
      />
    </>
  );
}

function VoicemailFields({ form, mayEdit, route, at }: FieldsProps) {
  const field = { readOnly: !mayEdit };
  const toggle = { disabled: !mayEdit };
  const rings = route.type !== 'voicemail';
  const takesVoicemail =
    route.voicemail_enabled || !rings || route.after_hours.action === 'voicemail';
  return (
    <>
      {rings && (
        <Switch
          label={t('Voicemail when no one answers')}
          {...toggle}
          checked={route.voicemail_enabled}
          onChange={(event) =>
            form.setFieldValue(`${at}.voicemail_enabled`, event.currentTarget.checked)
          }
        />
      )}
      {takesVoicemail && (
        <GreetingPicker
          label={t('Voicemail greeting')}
          type="voicemail"
          none={t('Custom text, or the number’s')}
          readOnly={!mayEdit}
          value={route.voicemail_greeting_id}
          onChange={(id) => form.setFieldValue(`${at}.voicemail_greeting_id`, id)}
          error={form.errors[`${at}.voicemail_greeting_id`]}
        />
      )}
      {takesVoicemail && route.voicemail_greeting_id === null && (
        <Textarea
          className={css.wide}
          label={t('Voicemail text')}
          placeholder={t('The number’s own, or the default')}
          maxLength={1000}
          {...field}
          {...form.getInputProps(`${at}.voicemail_greeting`)}
        />
      )}
    </>
  );
}
