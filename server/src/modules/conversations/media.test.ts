import sharp from 'sharp';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { mediaLimits } from '#contract/conversations/rules';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { prepareMedia } from './media.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const upload = (name: string, bytes: Buffer) => ({
  field: 'media',
  name,
  contentType: 'application/octet-stream',
  size: bytes.length,
  bytes: async () => bytes,
});
/** An image that doesn't compress: noise. */
const noise = async (edge: number) =>
  sharp(randomBytes(edge * edge * 3), { raw: { width: edge, height: edge, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();

function form(fields: Record<string, string>, files: { name: string; bytes: Buffer }[]) {
  const boundary = 'boundary7';
  const parts = [
    ...Object.entries(fields).map(([k, v]) =>
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${k}"\r\n\r\n${v}\r\n`),
    ),
    ...files.flatMap((f) => [
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="media[]"; filename="${f.name}"\r\ncontent-type: image/jpeg\r\n\r\n`,
      ),
      f.bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return {
    payload: Buffer.concat(parts),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
const post = (
  who: TestPerson,
  fields: Record<string, string>,
  files: { name: string; bytes: Buffer }[],
) => app.as(who).inject({ method: 'POST', url: '/api/message', ...form(fields, files) });

describe('images and other files', () => {
  test('an image is sent with its text, re-encoded, and the phone can fetch it', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const phone = uniquePhone();
    const secret = await sharp({
      create: { width: 40, height: 30, channels: 3, background: '#fa0' },
    })
      .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer();
    const sent = await post(
      owner,
      {
        companyId: String(company.id),
        numberId: String(number.id),
        to: phone,
        message: 'Your room',
      },
      [{ name: 'room.jpg', bytes: secret }],
    );
    expect(sent.status).toBe(201);
    expect(sent.body.data.details).toMatchObject({
      type: 'media',
      content: 'Your room',
      media: [{ name: 'room.jpg', type: 'image/jpeg' }],
    });
    await app.drainJobs();
    const [text] = await inbox.received(phone);
    const file = await app.server.inject({
      method: 'GET',
      url: (text!.media[0] as { url: string }).url.replace(app.services.settings.publicUrl, ''),
    });
    expect(file.statusCode).toBe(200);
    expect((await sharp(file.rawPayload).metadata()).exif).toBeUndefined();
  });

  test('a file’s type is determined by its first bytes, not its name', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const say = async (name: string, bytes: Buffer) =>
      (
        await post(
          owner,
          { companyId: String(company.id), numberId: String(number.id), to: uniquePhone() },
          [{ name, bytes }],
        )
      ).body as { code?: string };
    for (const [name, bytes] of [
      ['a.jpg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
      ['b.png', Buffer.from('MZ\x90\x00 a program')],
      ['c.gif', Buffer.from('GIF89a but no more')],
      ['d.jpg', Buffer.alloc(0)],
    ] as const)
      expect((await say(name, bytes)).code).toBe('message.media_unknown');
  });

  test('at most ten files, 3.5 MB from a local number and 525 KB from a toll-free one; images are resized to fit', async () => {
    const big = await noise(1300);
    expect(big.length).toBeGreaterThan(mediaLimits.tollFreeBytes * 2);
    const [local] = await prepareMedia([upload('big.jpg', big)], '+14155552368');
    const [tollFree] = await prepareMedia([upload('big.jpg', big)], '+18885552368');
    expect(local!.bytes.length).toBeLessThanOrEqual(mediaLimits.localBytes);
    expect(tollFree!.bytes.length).toBeLessThanOrEqual(mediaLimits.tollFreeBytes);
    const many = await prepareMedia(
      Array.from({ length: 10 }, (_, i) => upload(`${i}.jpg`, big)),
      '+18885552368',
    );
    expect(many.reduce((sum, f) => sum + f.bytes.length, 0)).toBeLessThanOrEqual(
      mediaLimits.tollFreeBytes,
    );
    await expect(
      prepareMedia(
        Array.from({ length: 11 }, () => upload('a.jpg', big)),
        '+14155552368',
      ),
    ).rejects.toMatchObject({ code: 'message.media_too_many' });
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(600_000)]);
    await expect(prepareMedia([upload('a.pdf', pdf)], '+18885552368')).rejects.toMatchObject({
      code: 'message.media_too_large',
    });
    expect(await prepareMedia([upload('a.pdf', pdf)], '+14155552368')).toHaveLength(1);
  });

  test('an image of too many pixels is rejected without decoding it', async () => {
    // 40,000 × 40,000 of one color: a few kilobytes that would be 4.8 GB.
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } })
      .png()
      .toBuffer();
    png.writeUInt32BE(40_000, 16);
    png.writeUInt32BE(40_000, 20);
    await expect(prepareMedia([upload('bomb.png', png)], '+14155552368')).rejects.toMatchObject({
      code: 'message.media_unknown',
    });
  });

  test.each(['avif', 'tiff'] as const)('a picture in %s is sent as JPEG', async (format) => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const picture = await sharp({
      create: { width: 60, height: 40, channels: 4, background: '#fa08' },
    })
      .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
      .toFormat(format)
      .toBuffer();
    const sent = await post(
      owner,
      { companyId: String(company.id), numberId: String(number.id), to: uniquePhone() },
      [{ name: `IMG_1.${format}`, bytes: picture }],
    );
    expect(sent.status).toBe(201);
    expect(sent.body.data.details.media).toMatchObject([{ name: 'IMG_1.jpg', type: 'image/jpeg' }]);
  });
  test('TIFFs of all kinds become JPEGs', async () => {
    const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: '#f00' } });
    const kinds = await Promise.all([
      picture.clone().tiff({ compression: 'lzw' }).toBuffer(),
      picture.clone().tiff({ compression: 'jpeg' }).toBuffer(),
      picture.clone().tiff({ bigtiff: true }).toBuffer(),
      picture
        .clone()
        .greyscale()
        .toColourspace('b-w')
        .tiff({ bitdepth: 1, compression: 'ccittfax4' })
        .toBuffer(),
      picture.clone().toColourspace('cmyk').tiff().toBuffer(),
    ]);
    for (const bytes of kinds) {
      const [file] = await prepareMedia([upload('scan.tif', bytes)], '+14155552368');
      expect(file).toMatchObject({ name: 'scan.jpg', contentType: 'image/jpeg' });
      expect(await sharp(file!.bytes).metadata()).toMatchObject({ width: 60, height: 40 });
    }
  });
  test.each(['heic', 'heix', 'hevc', 'mif1', 'msf1'])(
    'an iPhone’s picture (%s) is refused with what to do',
    async (brand) => {
      const brands = `${brand}\0\0\0\0mif1heic`;
      const head = Buffer.from(`\0\0\0${String.fromCharCode(8 + brands.length)}ftyp${brands}`);
      const { company, owner } = await app.createCompany();
      const number = await inbox.number(company.id);
      const refused = await post(
        owner,
        { companyId: String(company.id), numberId: String(number.id), to: uniquePhone() },
        [{ name: 'IMG_1.HEIC', bytes: Buffer.concat([head, Buffer.alloc(500)]) }],
      );
      expect(refused.status).toBe(422);
      expect(refused.body.message).toBe(
        'IMG_1.HEIC is a HEIC picture, which can’t be sent by text. Export it as JPEG.',
      );
    },
  );
});
