import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { pageAnswer } from "../../platform/pages/PageFrame.ts"
import { languageOf } from "../../platform/pages/PageLanguage.ts"
import { FactorRoutes } from "./FactorHttp.ts"
import { PasswordRoutes } from "../accounts/PasswordHttp.ts"
import { AccountRoutes } from "./AccountHttp.ts"
import { ConsentRoutes } from "./ConsentHttp.ts"
import { EmailRoutes } from "./EmailHttp.ts"
import { homePage } from "./HomePage.ts"
import { LoginRoutes } from "./LoginHttp.ts"

const home = HttpRouter.add("GET", "/", (request) =>
  Effect.succeed(pageAnswer(homePage(languageOf(request.headers["accept-language"]))))
)

export const PageRoutes = Layer.mergeAll(
  home,
  LoginRoutes,
  ConsentRoutes,
  AccountRoutes,
  FactorRoutes,
  PasswordRoutes,
  EmailRoutes
)
