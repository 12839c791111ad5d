import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, id, instant, one } from '../../schemas.ts';
import { mostMembers } from './rules.ts';

const team = z.object({
  id,
  name: z.string(),
  members: z
    .array(z.object({ id, name: z.string() }))
    .meta({ description: 'Active people of the team, by name' }),
  created_at: instant,
});

const name = z.string().trim().min(1, 'Enter a name.').max(60, 'At most 60 characters.');
const people = z.array(id).max(mostMembers, `Choose at most ${mostMembers} people.`);
const ofCompany = z.object({ companyId: id });
const ofTeam = z.object({ companyId: id, teamId: id });

const example = {
  id: 9,
  name: 'Front desk',
  members: [
    { id: 2, name: 'Adam Administrator' },
    { id: 5, name: 'Una User' },
  ],
  created_at: '2026-11-21T09:15:04.000Z',
};
const params = { companyId: 1, teamId: 9 };

export const listTeams = operation({
  summary: 'List the teams of the company, by name',
  params: ofCompany,
  answer: z.object({ data: z.array(team) }),
  example: { params: { companyId: 1 }, answer: { data: [example] } },
});

export const createTeam = operation({
  summary: 'Create a team of people of the company',
  params: ofCompany,
  body: z.object({ name, user_ids: people.default([]) }),
  answer: one(team),
  status: 201,
  errors: ['team.exists', 'team.too_many'],
  example: {
    params: { companyId: 1 },
    body: { name: 'Front desk', user_ids: [5] },
    answer: { data: example },
  },
});

export const getTeam = operation({
  summary: 'Get a team, with the numbers whose routes ring it',
  params: ofTeam,
  answer: one(
    team.extend({
      numbers: z
        .array(z.object({ id, number: z.string() }))
        .meta({ description: 'Numbers whose routes ring it, that the reader may see' }),
    }),
  ),
  example: {
    params,
    answer: { data: { ...example, numbers: [{ id: 7, number: '+14155552368' }] } },
  },
});

export const renameTeam = operation({
  summary: 'Rename a team',
  params: ofTeam,
  body: z.object({ name }),
  answer: one(team),
  errors: ['team.exists'],
  example: { params, body: { name: 'Reception' }, answer: { data: example } },
});

export const deleteTeam = operation({
  summary: 'Delete a team that no route rings. Its people stay in the company',
  params: ofTeam,
  answer: empty,
  status: 204,
  errors: ['team.in_use'],
  example: { params },
});

export const changeTeamMembers = operation({
  summary:
    'Add people to a team, remove people from it, or both. Who is in it already, or isn’t, is ignored',
  params: ofTeam,
  body: z
    .object({ add_user_ids: people.default([]), remove_user_ids: people.default([]) })
    .refine((change) => change.add_user_ids.length + change.remove_user_ids.length > 0, {
      message: 'Choose at least one person.',
      path: ['add_user_ids'],
    }),
  answer: z.object({
    data: team,
    added: z.array(id).meta({ description: 'Who wasn’t in it before' }),
    removed: z.array(id).meta({ description: 'Who was in it before' }),
  }),
  errors: ['team.full'],
  example: {
    params,
    body: { add_user_ids: [5] },
    answer: { data: example, added: [5], removed: [] },
  },
});
