import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { IconCheck, IconUserOff } from '@tabler/icons-react';
import { Modal, PersonAvatar, t, useUser } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { conversationName } from '../labels.ts';
import { useTeammates, type Teammate } from './use-teammates.ts';
import css from './PickPerson.module.css';

interface PickProps {
  list: readonly Conversation[];
  numberId: number | undefined;
  /** The current assignee; undefined when the conversations have different ones. */ assigneeId:
    | number
    | null
    | undefined;
  onPick: (person: Teammate | null) => void;
  onClose: () => void;
}

/** Chooses an assignee by name, with arrow keys and Enter. The signed-in user is first. */
export function AssigneePicker({ list, numberId, assigneeId: holder, onPick, onClose }: PickProps) {
  const me = useUser();
  const teammates = useTeammates(numberId);
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const fits = (name: string): boolean => name.toLowerCase().includes(search.trim().toLowerCase());
  const people = [...teammates]
    .sort((a, b) => Number(b.id === me?.id) - Number(a.id === me?.id))
    .filter((p) => fits(p.name) || (p.id === me?.id && fits(t('Me'))));
  const nobody = holder !== null && (search === '' || fits(t('No one')));
  const choices: (Teammate | null)[] = [...people, ...(nobody ? [null] : [])];
  const chosen = choices[Math.min(at, choices.length - 1)];
  const title =
    list.length === 1 && list[0]
      ? t('Assign conversation with {name}', { name: conversationName(list[0]) })
      : t('{n, plural, one {Assign # conversation} other {Assign # conversations}}', {
          n: list.length,
        });
  const idOf = (p: Teammate | null): string => `assign-${p?.id ?? 'nobody'}`;
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="xs"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t('Find a teammate')}
        aria-expanded
        aria-controls="assign-list"
        aria-activedescendant={chosen === undefined ? undefined : idOf(chosen)}
        placeholder={t('Name')}
        value={search}
        onChange={(e) => {
          setSearch(e.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(e) => {
          if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
            e.preventDefault();
            setAt(
              (now) =>
                (Math.min(now, choices.length - 1) +
                  (e.key === 'ArrowDown' ? 1 : choices.length - 1)) %
                Math.max(1, choices.length),
            );
          }
          if (e.key === 'Enter' && chosen !== undefined) {
            e.preventDefault();
            onPick(chosen);
          }
        }}
      />
      <div id="assign-list" role="listbox" aria-label={t('Teammates')} className={css.list}>
        {choices.map((p) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys
          <div
            key={idOf(p)}
            id={idOf(p)}
            role="option"
            tabIndex={-1}
            aria-selected={p === chosen}
            className={css.person}
            onClick={() => onPick(p)}
            onMouseEnter={() => setAt(choices.indexOf(p))}
          >
            {p ? (
              <PersonAvatar name={p.name} size={24} />
            ) : (
              <IconUserOff size={20} stroke={1.5} aria-hidden className={css.nobody} />
            )}
            <span className={css.name}>
              {p ? p.name : t('No one')}
              {p?.id === me?.id && <span className={css.me}>{t('you')}</span>}
            </span>
            {p && p.id === holder && <IconCheck size={16} aria-label={t('Currently assigned')} />}
          </div>
        ))}
      </div>
      {choices.length === 0 && (
        <p className={css.none}>{t('No teammate with that name can see this number.')}</p>
      )}
    </Modal>
  );
}
