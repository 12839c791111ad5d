import { useRef, useState } from 'react';
import { ActionIcon, Button, Group, Select, TagsInput, TextInput } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconBookmark,
  IconPhonePlus,
  IconTrash,
} from '@tabler/icons-react';
import { companies, forwarding } from '#contract';
import { formatPhoneNumber, Hidden, NumberInput, PersonAvatar, t, useApiQuery } from '#ui';
import { emptyForward, moveItem, type DraftForward } from './draft.ts';
import type { DraftForm } from './RouteCard.tsx';
import css from './RouteEditor.module.css';

/** Who is rung, in order. Rows move with their buttons, or with Alt and an arrow key from anywhere in the row. */
export function Destinations({
  form,
  index,
  mayEdit,
}: {
  form: DraftForm;
  index: number;
  mayEdit: boolean;
}) {
  const { response } = useApiQuery(
    companies.listCompanyUsers,
    { query: { perPage: 250, status: 'active' } },
    { silent: true },
  );
  const people = (response?.data ?? []).map((one) => ({
    id: one.id,
    name: `${one.first_name} ${one.last_name}`.trim() || one.email,
  }));
  const kept = useApiQuery(
    forwarding.listForwardContacts,
    { query: { perPage: 250 } },
    { silent: true, staleTime: 30_000 },
  );
  const contacts = kept.response?.data ?? [];
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const route = form.values.routes[index];
  if (!route) return null;
  const { forwards, type } = route;
  const at = `routes.${index}.forwards` as const;
  const set = (rows: DraftForward[]): void => form.setFieldValue(at, rows);
  const nameOf = (one: DraftForward): string =>
    one.contact_id !== null
      ? one.label ||
        (contacts.find((contact) => contact.id === one.contact_id)?.name ?? t('Forwarding number'))
      : one.user_id === null
        ? one.label || one.number || t('New phone')
        : (people.find((person) => person.id === one.user_id)?.name ?? t('Someone'));

  const move = (from: number, to: number, focus: 'up' | 'down' | null): void => {
    const row = forwards[from];
    if (!row || to < 0 || to >= forwards.length) return;
    set(moveItem(forwards, from, to));
    setSaid(
      t('{name} is now {n} of {total}', {
        name: nameOf(row),
        n: to + 1,
        total: forwards.length,
      }),
    );
    // The focus stays with the row it moved.
    if (focus)
      setTimeout(
        () =>
          list.current
            ?.querySelectorAll('li')
            [to]?.querySelector<HTMLButtonElement>(`[data-move='${focus}']`)
            ?.focus(),
        0,
      );
  };
  const add = (forward: DraftForward): void => {
    set([...forwards, forward]);
    if (forward.user_id === null && forward.contact_id === null)
      setTimeout(
        () => list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus(),
        0,
      );
  };
  const unused = contacts.filter(
    (contact) =>
      !forwards.some((one) => one.contact_id === contact.id) &&
      (type !== 'in-app-calling' || contact.type === 'user'),
  );
  const free = people.filter((person) => !forwards.some((one) => one.user_id === person.id));

  return (
    <div>
      <Hidden>
        <span aria-live="polite">{said}</span>
      </Hidden>
      <ol className={css.rows} ref={list} aria-label={t('Destinations')}>
        {forwards.map((forward, j) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys pressed in the row's own inputs and buttons bubble here
          <li
            key={forward.key}
            className={css.row}
            onKeyDown={(event) => {
              if (
                !mayEdit ||
                !event.altKey ||
                (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')
              )
                return;
              event.preventDefault();
              move(j, j + (event.key === 'ArrowUp' ? -1 : 1), null);
            }}
          >
            <span className={css.place} aria-hidden>
              {j + 1}
            </span>
            {forward.contact_id !== null ? (
              <span className={css.person}>
                <IconBookmark size={16} aria-hidden />
                <span>
                  <a href={`/numbers/forwarding?open=${forward.contact_id}`}>{nameOf(forward)}</a>
                  {forward.number && <small className={css.quiet}> {forward.number}</small>}
                </span>
              </span>
            ) : forward.user_id === null ? (
              <TextInput
                aria-label={t('Phone number or SIP address')}
                placeholder="(212) 555-0147"
                inputMode="tel"
                readOnly={!mayEdit}
                {...form.getInputProps(`${at}.${j}.number`)}
              />
            ) : (
              <span className={css.person}>
                <PersonAvatar name={nameOf(forward)} size={24} />
                <span>{nameOf(forward)}</span>
              </span>
            )}
            {forward.contact_id !== null ? (
              <span className={css.quiet}>{form.errors[`${at}.${j}.contact_id`]}</span>
            ) : forward.user_id === null ? (
              <TextInput
                aria-label={t('Name of this destination')}
                placeholder={t('Name')}
                maxLength={80}
                readOnly={!mayEdit}
                {...form.getInputProps(`${at}.${j}.label`)}
              />
            ) : (
              <span className={css.quiet}>{form.errors[`${at}.${j}.user_id`]}</span>
            )}
            {type === 'standard' && forwards.length > 1 ? (
              <NumberInput
                aria-label={t('Weight of {name}', { name: nameOf(forward) })}
                placeholder={t('Weight')}
                min={1}
                max={100}
                w={92}
                hideControls
                readOnly={!mayEdit}
                value={forward.weight ?? ''}
                error={form.errors[`${at}.${j}.weight`]}
                onChange={(value) =>
                  form.setFieldValue(`${at}.${j}.weight`, value === '' ? null : Number(value))
                }
              />
            ) : type === 'sequential' ? (
              <NumberInput
                aria-label={t('Seconds {name} rings', { name: nameOf(forward) })}
                placeholder={`${route.timeout} s`}
                suffix=" s"
                min={5}
                max={120}
                w={92}
                hideControls
                readOnly={!mayEdit}
                value={forward.timeout ?? ''}
                error={form.errors[`${at}.${j}.timeout`]}
                onChange={(value) =>
                  form.setFieldValue(`${at}.${j}.timeout`, value === '' ? null : Number(value))
                }
              />
            ) : type === 'geo' ? (
              <TagsInput
                aria-label={t('Area codes and states of {name}', { name: nameOf(forward) })}
                placeholder={
                  forward.area_codes.length + forward.states.length === 0
                    ? t('All other areas')
                    : ''
                }
                readOnly={!mayEdit}
                maw={220}
                splitChars={[',', ' ']}
                value={[...forward.area_codes, ...forward.states]}
                error={form.errors[`${at}.${j}.area_codes.0`] ?? form.errors[`${at}.${j}.states.0`]}
                onChange={(typed) => {
                  const areas = typed
                    .flatMap((one) => one.split(/[\s,;]+/))
                    .filter((one) => one !== '');
                  set(
                    forwards.map((one, k) =>
                      k === j
                        ? {
                            ...one,
                            area_codes: areas.filter((area) => /^\d/.test(area)),
                            states: areas
                              .filter((area) => /^[a-z]/i.test(area))
                              .map((area) => area.toUpperCase()),
                          }
                        : one,
                    ),
                  );
                }}
              />
            ) : (
              <span />
            )}
            <span className={css.moves}>
              {mayEdit && forwards.length > 1 && (
                <ActionIcon
                  data-move="up"
                  aria-label={t('Move {name} up', { name: nameOf(forward) })}
                  aria-disabled={j === 0}
                  onClick={() => move(j, j - 1, 'up')}
                >
                  <IconArrowUp size={16} />
                </ActionIcon>
              )}
              {mayEdit && forwards.length > 1 && (
                <ActionIcon
                  data-move="down"
                  aria-label={t('Move {name} down', { name: nameOf(forward) })}
                  aria-disabled={j === forwards.length - 1}
                  onClick={() => move(j, j + 1, 'down')}
                >
                  <IconArrowDown size={16} />
                </ActionIcon>
              )}
              {mayEdit && (
                <ActionIcon
                  aria-label={t('Remove {name}', { name: nameOf(forward) })}
                  onClick={() => set(forwards.filter((_, k) => k !== j))}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              )}
            </span>
          </li>
        ))}
      </ol>
      {mayEdit && (
        <Group gap="xs" mt={forwards.length > 0 ? 8 : 0} align="center">
          {type !== 'in-app-calling' && (
            <Button
              variant="default"
              leftSection={<IconPhonePlus size={16} aria-hidden />}
              onClick={() => add(emptyForward())}
            >
              {t('Add a phone')}
            </Button>
          )}
          {free.length > 0 && (
            <Select
              aria-label={t('Add a person')}
              placeholder={t('Add a person')}
              w={220}
              searchable
              value={null}
              data={free.map((person) => ({ value: String(person.id), label: person.name }))}
              onChange={(id) => {
                if (id) add(emptyForward({ user_id: Number(id) }));
              }}
            />
          )}
          {unused.length > 0 && (
            <Select
              aria-label={t('Add forwarding number')}
              placeholder={t('Add forwarding number')}
              w={220}
              searchable
              value={null}
              data={unused.map((contact) => ({
                value: String(contact.id),
                label: contact.number
                  ? `${contact.name}, ${contact.number.startsWith('+') ? formatPhoneNumber(contact.number) : contact.number}`
                  : contact.name,
              }))}
              onChange={(id) => {
                const contact = contacts.find((one) => String(one.id) === id);
                if (contact)
                  add(
                    emptyForward({
                      contact_id: contact.id,
                      label: contact.name,
                      number:
                        contact.number === null
                          ? ''
                          : contact.number.startsWith('+')
                            ? formatPhoneNumber(contact.number)
                            : contact.number,
                    }),
                  );
              }}
            />
          )}
        </Group>
      )}
      {form.errors[at] && (
        <p className={css.quiet} role="alert">
          {form.errors[at]}
        </p>
      )}
    </div>
  );
}
