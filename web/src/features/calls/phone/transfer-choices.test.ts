import { expect, test } from 'vitest';
import {
  canAskFirst,
  preselected,
  transferBlockReason,
  transferChoices,
} from './transfer-choices.ts';

const person = (
  user_id: number,
  name: string,
  status: 'active' | 'away' | 'on_call' | 'offline',
) => ({
  user_id,
  name,
  status,
  pause: null,
});
const found = {
  people: [
    person(1, 'Adam', 'offline'),
    person(2, 'Bill', 'away'),
    person(3, 'Orla', 'on_call'),
    person(4, 'Una', 'active'),
  ],
  teams: [
    { team_id: 3, name: 'Front desk', ready: 2 },
    { team_id: 4, name: 'Night shift', ready: 0 },
  ],
  extensions: [{ route_id: 7, extension: 2, label: 'Sales' }],
  contacts: [{ forward_contact_id: 9, name: 'Answering service', number: '+12125550188' }],
};
const names = (search = '', withExtensions = true): string[] =>
  transferChoices(found, search, withExtensions).map(({ label }) => label);

test('teammates are sorted by availability', () => {
  expect(names()).toEqual([
    'Una',
    'Orla',
    'Bill',
    'Adam',
    'Front desk',
    'Night shift',
    'Sales',
    'Answering service',
  ]);
});

test('someone available is preselected, and never anyone offline or away', () => {
  expect(preselected(transferChoices(found, '', true), '')?.label).toBe('Una');
  const unavailable = { people: found.people.slice(0, 2), teams: [], extensions: [], contacts: [] };
  const choices = transferChoices(unavailable, '', true);
  expect(preselected(choices, '')).toBeUndefined();
  expect(choices.every((choice) => transferBlockReason(choice) !== null)).toBe(true);
});

test('a team is passed the call at once, and not when no one in it can take it', () => {
  const [desk, night] = transferChoices(found, '', true).filter(({ body }) => body.team_id);
  expect(canAskFirst(desk!)).toBe(false);
  expect(transferBlockReason(desk!)).toBeNull();
  expect(transferBlockReason(night!)).toBe(
    'No one in Night shift can take the call. Choose someone who can.',
  );
  expect(names('desk', false)).toEqual([]);
});

test('extensions are only offered for transfers, and a typed number can always be called', () => {
  expect(names('sales', false)).toEqual([]);
  expect(names('sales')).toEqual(['Sales']);
  expect(names('(212) 555-0147')).toEqual(['(212) 555-0147']);
});

test('names are found in any writing', () => {
  const { people } = found;
  const choices = transferChoices(
    { ...found, people: [...people, person(5, 'Łukasz Núñez', 'active')] },
    'lukasz nunez',
    true,
  );
  expect(choices.map(({ label }) => label)).toContain('Łukasz Núñez');
});
