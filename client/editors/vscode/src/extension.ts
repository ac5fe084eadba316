// The extension: it starts `idg lsp` and shows in the status bar what is proved of the program in the active editor.

import * as vscode from 'vscode'
import { LanguageClient, type ServerOptions, TransportKind } from 'vscode-languageclient/node'

/** What the server tells when the analysis of a text is complete. */
interface Analysed {
  uri: string
  version: number
  proved: boolean
  summary: string
}

const known = new Map<string, Analysed>()
let client: LanguageClient | undefined

function shown(status: vscode.StatusBarItem): void {
  const document = vscode.window.activeTextEditor?.document
  const news = document && known.get(document.uri.toString())
  // What is known of an older version says nothing about the text that is shown.
  if (!document || !news || news.version !== document.version) {
    status.hide()
    return
  }
  status.text = `${news.proved ? '$(verified-filled)' : '$(circle-large-outline)'} ${news.summary.split(':')[0] ?? ''}`
  status.tooltip = news.summary
  status.show()
}

async function start(status: vscode.StatusBarItem): Promise<void> {
  const command = vscode.workspace.getConfiguration('idg').get('command', 'idg')
  const server: ServerOptions = { command, args: ['lsp'], transport: TransportKind.stdio }
  const others = vscode.workspace.getConfiguration('idg').get<string[]>('languages', [])
  const documentSelector = ['sip', ...others].map((language) => ({ language }))
  client = new LanguageClient('idg', 'IDG', server, { documentSelector })
  client.onNotification('idg/analysed', (news: Analysed) => {
    known.set(client?.protocol2CodeConverter.asUri(news.uri).toString() ?? news.uri, news)
    shown(status)
  })
  try {
    await client.start()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const advice = "Install it with: pip install 'idg[lsp]', or name it in the setting idg.command."
    void vscode.window.showErrorMessage(`'${command} lsp' does not start (${reason}). ${advice}`)
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left)
  context.subscriptions.push(
    status,
    vscode.window.onDidChangeActiveTextEditor(() => shown(status)),
    vscode.workspace.onDidChangeTextDocument(() => shown(status)),
    vscode.workspace.onDidCloseTextDocument((document) => known.delete(document.uri.toString())),
    vscode.commands.registerCommand('idg.restart', async () => {
      await client?.dispose()
      known.clear()
      await start(status)
    }),
  )
  await start(status)
}

export async function deactivate(): Promise<void> {
  await client?.dispose()
}
