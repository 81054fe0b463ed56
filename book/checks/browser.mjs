// The browser of all checks.

import { chromium } from 'playwright-core';

/** Starts Debian's Chromium without windows, which costs these checks a third less; without the sandbox, too, which root may not have. */
export const launch = () => chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] });

/** How long to wait for what must come, in milliseconds: other steps may have both cores meanwhile. */
export const PATIENCE = 90_000;
