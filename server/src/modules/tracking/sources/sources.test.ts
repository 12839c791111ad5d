import { describe, expect, it } from 'vitest';
import { audit, tracking as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const params = ({ companyId }: TestPerson) => ({ companyId });
const ofSource = ({ companyId }: TestPerson, sourceId: number) => ({ companyId, sourceId });
const add = (person: TestPerson, body: object) =>
  app.as(person).request(contract.createSource, {
    params: params(person),
    body: { label: 'Mailer', kind: 'offline', group: 'offline', ...body },
  });
const change = (person: TestPerson, sourceId: number, body: object) =>
  app.as(person).request(contract.updateSource, {
    params: ofSource(person, sourceId),
    body,
  });
const list = async (person: TestPerson) =>
  (await app.as(person).request(contract.listSources, { params: params(person) })).body.data;
const ownLabels = async (person: TestPerson) =>
  (await list(person)).filter((source) => !source.isSystem).map(({ label }) => label);
const order = (person: TestPerson, sourceIds: number[]) =>
  app.as(person).request(contract.orderSources, { params: params(person), body: { sourceIds } });
const classified = async (person: TestPerson, url: string, referrer?: string) =>
  (
    await app.as(person).request(contract.classifyVisit, {
      params: params(person),
      body: { url, referrer },
    })
  ).body.data;

describe('sources', () => {
  it('lists those of everyone with their rules, after the company’s own', async () => {
    const { owner } = await app.createCompany();
    expect(await list(owner)).toHaveLength(contract.systemSources.length);
    await add(owner, { label: 'Radio WHBR' });
    const all = await list(owner);
    expect(all[0]).toMatchObject({ key: 'own_radio_whbr', isSystem: false, precedence: 1 });
    expect(all.find(({ key }) => key === 'google_ads')).toMatchObject({
      id: 1,
      isSystem: true,
      rules: expect.arrayContaining([expect.objectContaining({ name: 'gclid' })]),
    });
  });

  it('keeps the IDs of rules, and gives none of them again', async () => {
    const { owner } = await app.createCompany();
    const rule = (value: string) => ({ on: 'url', match: 'contains', value }) as const;
    const source = (await add(owner, { rules: [rule('/a'), rule('/b')] })).body.data;
    const [first, second] = source.rules;
    const after = (
      await change(owner, source.id, { rules: [{ ...rule('/a2'), id: first!.id }, rule('/c')] })
    ).body.data.rules;
    expect(after.map(({ id, value }) => [id, value])).toEqual([
      [first!.id, '/a2'],
      [`own.${source.id}.3`, '/c'],
    ]);
    await change(owner, source.id, { rules: [] });
    const again = (await change(owner, source.id, { rules: [rule('/d')] })).body.data.rules;
    expect(again[0]!.id).toBe(`own.${source.id}.4`);
    expect(second!.id).toBe(`own.${source.id}.2`);
  });

  it('decide in their order, and the preview shows which rule', async () => {
    const { owner } = await app.createCompany();
    const rules = [{ on: 'param', name: 'src', value: 'fair' }] as const;
    const one = (await add(owner, { label: 'One', rules })).body.data;
    const two = (await add(owner, { label: 'Two', rules })).body.data;
    const landing = 'https://shop.example/?SRC=Fair&gclid=abc';
    const before = await classified(owner, landing, 'https://www.google.com/');
    expect(before).toMatchObject({ source: { id: one.id }, ruleId: one.rules[0]!.id, step: 1 });
    expect(before.lost.map(({ ruleId }) => ruleId)).toEqual([
      two.rules[0]!.id,
      'click.gclid',
      'referrer.known',
    ]);
    expect((await order(owner, [two.id, one.id])).status).toBe(200);
    expect(await ownLabels(owner)).toEqual(['Two', 'One']);
    expect((await classified(owner, landing)).source.id).toBe(two.id);
    expect((await order(owner, [one.id])).status).toBe(422);
    expect((await order(owner, [one.id, one.id])).status).toBe(422);
  });

  it('need a name of their own and patterns that work', async () => {
    const { owner } = await app.createCompany();
    const first = (await add(owner, { label: 'Fair' })).body.data;
    const second = (await add(owner, { label: 'Fäir!' })).body.data;
    expect([first.key, second.key]).toEqual(['own_fair', 'own_fa_ir']);
    expect((await add(owner, { label: 'FAIR' })).body).toMatchObject({ code: 'source.exists' });
    expect((await add(owner, { label: 'google ads' })).body).toMatchObject({
      code: 'source.exists',
    });
    expect((await change(owner, first.id, { label: 'fair' })).status).toBe(200);
    const wrong = await add(owner, {
      label: 'Pattern',
      rules: [{ on: 'url', match: 'regex', value: '(?=x)' }],
    });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toMatchObject({ errors: { 'rules.0.value': expect.any(Array) } });
    for (const value of ['localhost', 'https://a.example/', 'a b.example'])
      expect((await add(owner, { label: 'R', rules: [{ on: 'referrer', value }] })).status).toBe(
        422,
      );
  });

  it('of one company are out of reach for another, and only administrators change them', async () => {
    const { owner } = await app.createCompany();
    const other = (await app.createCompany()).owner;
    const user = await app.createPerson(owner.companyId, 'user');
    const source = (await add(owner, {})).body.data;
    expect((await change(other, source.id, { label: 'Mine' })).status).toBe(404);
    expect((await order(other, [source.id])).status).toBe(404);
    const remove = (person: TestPerson) =>
      app.as(person).request(contract.deleteSource, {
        params: ofSource(person, source.id),
      });
    expect((await remove(other)).status).toBe(404);
    expect((await add(user, {})).status).toBe(403);
    expect((await remove(user)).status).toBe(403);
    expect(await ownLabels(user)).toEqual(['Mailer']);
    expect((await remove(owner)).status).toBe(204);
    expect(await ownLabels(owner)).toEqual([]);
    const log = await app.as(owner).request(audit.listAuditLog, {
      params: params(owner),
      query: { group: 'tracking' },
    });
    expect(log.body.data.map(({ action }) => action)).toEqual([
      'tracking_source.deleted',
      'tracking_source.added',
    ]);
  });
});
