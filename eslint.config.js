import js from "@eslint/js";
import globals from "globals";
import typescript from "typescript-eslint";

const asText = "a visitor's text is shown as text only: use textContent, append or appendText";

export default [
  js.configs.recommended,
  ...typescript.configs.recommended.map((config) => ({ ...config, files: ["frontend/src/**/*.ts"] })),
  {
    languageOptions: { ecmaVersion: 2025, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "default-case-last": "error",
      eqeqeq: "error",
      "no-console": "error",
      "no-constructor-return": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-restricted-properties": [
        "error",
        { object: "document", property: "write", message: asText },
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe", "createContextualFragment"].map((property) => ({
          property,
          message: asText,
        })),
      ],
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-unmodified-loop-condition": "error",
      "no-unneeded-ternary": "error",
      "no-unused-expressions": ["error", { allowShortCircuit: false }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      radix: "error",
    },
  },
  {
    files: ["frontend/src/**/*.ts"],
    rules: {
      "no-shadow": "off", // it takes types for values
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-shadow": "error",
    },
  },
  { files: ["frontend/src/**/*.ts", "benchmarks/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["tests/javascript/**/*.js", "frontend/*.js"], languageOptions: { globals: globals.node } },
  { ignores: ["node_modules/", ".venv/", "ui/static/", "bpe_core/page/"] },
];
