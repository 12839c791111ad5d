import { clearSession, createQueryClient, interceptDownloads, mountApp, onLogout } from '#ui';
import { Admin } from './Admin.tsx';
import { goToLogin } from './go-to-login.ts';

const cache = createQueryClient();
onLogout(() => {
  clearSession();
  cache.clear();
}, goToLogin);
interceptDownloads();
mountApp(<Admin />, { product: 'Trunkline admin', cache });
