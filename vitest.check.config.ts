import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

// npm run check:language: what the texts of the repository are held to, messages, pages and pictures alike
export default defineConfig({ test: { ...config.test, include: ['test/**/*.check.ts'] } })
