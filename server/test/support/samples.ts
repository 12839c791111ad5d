/** A multipart form with fields and files, as a browser sends it. */
export function multipartForm(
  fields: Record<string, string>,
  ...files: { field: string; name: string; type: string; bytes: Buffer | string }[]
) {
  const boundary = 'the-line-between';
  const part = (head: string, bytes: Buffer | string) => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(bytes as string),
    Buffer.from('\r\n'),
  ];
  return {
    payload: Buffer.concat([
      ...Object.entries(fields).flatMap(([key, value]) => part(`name="${key}"`, value)),
      ...files.flatMap((file) =>
        part(
          `name="${file.field}"; filename="${file.name}"\r\ncontent-type: ${file.type}`,
          file.bytes,
        ),
      ),
      Buffer.from(`--${boundary}--\r\n`),
    ]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

export const samplePdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF');
export const sampleCsv =
  'name,number,email\nAda Reed,2125550161,ada@example.com\nBo Field,2125550162,\n';
export const portDetails = {
  losing_carrier: 'Old Bell',
  account_number: '884217',
  pin: '4321',
  billing_telephone_number: '(212) 555-2368',
  customer_type: 'business',
  entity_name: 'Harbor Dental LLC',
  authorized_first_name: 'Olive',
  authorized_last_name: 'Owner',
  authorized_email: 'olive@harbor.test',
  authorized_phone: '212 555 0147',
  service_address: {
    line1: '1 Water Street',
    city: 'New York',
    state: 'NY',
    zip: '10004',
    country: 'US',
  },
};

let phones = 0;
/** A number that no one has yet, in E.164. The simulated carrier never releases one that ends in 99. */
export const randomPhone = (area = '212') => {
  phones += phones % 100 === 98 ? 2 : 1;
  return `+1${area}55${String(50_000 + phones).padStart(5, '0')}`;
};
