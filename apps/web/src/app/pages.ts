/** The pages of the navigation. */
import {
  IconCalendar,
  IconDeviceMobile,
  IconHistory,
  IconPencilPlus,
  IconRepeat,
  IconServerCog,
  IconSettings,
  IconUsersGroup,
} from '../ui/icons/index.ts';

/** Narrow screens have them at the bottom, too. */
export const DAILY_PAGES = [
  { to: '/', name: 'compose', Icon: IconPencilPlus },
  { to: '/posts', name: 'posts', Icon: IconHistory },
  { to: '/calendar', name: 'calendar', Icon: IconCalendar },
  { to: '/accounts', name: 'accounts', Icon: IconUsersGroup },
  { to: '/reposts', name: 'reposts', Icon: IconRepeat },
] as const;

export const SETTINGS_PAGE = { to: '/settings', name: 'settings', Icon: IconSettings } as const;
export const SANDBOX_PAGE = { to: '/sandbox', name: 'sandbox', Icon: IconDeviceMobile } as const;
export const OPERATOR_PAGE = { to: '/operator', name: 'operator', Icon: IconServerCog } as const;

/** Whether an address is that of a page, or below it. */
export function isAt(path: string, to: string): boolean {
  return to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
}
